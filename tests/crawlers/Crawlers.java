import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.parse.*;
import org.apache.nutch.protocol.Content;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.*;
import org.apache.storm.tuple.Tuple;
import org.apache.stormcrawler.Metadata;
import org.archive.modules.CrawlURI;

/**
 * The classes of doc/crawlers.md against a daemon and a site of its own; tests/cli/crawlers.sh runs it.  A fetcher that is a few
 * lines long stands for the three, and hands each class what its crawler would.
 *	java Crawlers SERVER TOKEN-FILE NUMBER
 */
public class Crawlers {
	static String server, tokenFile, site;
	static int count;
	static final HttpClient http = HttpClient.newHttpClient();

	static void ok(String title, boolean holds, Object note) {
		System.out.println((holds ? "" : "not ") + "ok " + ++count + " - " + title);
		if (!holds)
			System.out.println("# " + note);
	}

	static void startSite() throws IOException {
		HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
		made.createContext("/", exchange -> {
			String path = exchange.getRequestURI().getPath();
			byte[] body = ("<p>" + path + ": boats to the islands leave the old pier at nine and at noon, and come back before dark</p>").getBytes(StandardCharsets.UTF_8);
			int status = path.startsWith("/gone") ? 404 : path.startsWith("/moved") ? 301 : 200;
			exchange.getResponseHeaders().set("Content-Type", "text/html");
			exchange.getResponseHeaders().set("ETag", "\"v1\"");
			if (status == 301)
				exchange.getResponseHeaders().set("Location", path.replace("moved", "target"));
			exchange.sendResponseHeaders(status, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		made.start();
		site = "http://127.0.0.1:" + made.getAddress().getPort();
	}

	/** What a page's server answers; null: nothing. */
	static HttpResponse<byte[]> fetch(String url) throws InterruptedException {
		try {
			return http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofByteArray());
		} catch (IOException nothing) {
			return null;
		}
	}

	static String header(HttpResponse<byte[]> answer, String name) {
		return answer.headers().firstValue(name).orElse(null);
	}

	interface Reporter {
		void report(String url, HttpResponse<byte[]> answer) throws Exception;
	}

	/** What the daemon knows of a page. */
	static String known(String url) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(server + "/v1/page?url=" + java.net.URLEncoder.encode(url, StandardCharsets.UTF_8)))
				.header("Authorization", "Bearer " + Files.readAllLines(Path.of(tokenFile)).get(0)).build();
		return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
	}

	static boolean says(String page, String... members) {
		return Arrays.stream(members).allMatch(member -> page.contains(member));
	}

	/** The same claims for each: leases what due gives, and reports what came of it. */
	static void crawl(String name, List<String> due, Reporter reporter, boolean failuresToo) throws Exception {
		for (String url : due)
			reporter.report(url, fetch(url));
		String page = known(site + "/page/" + name);
		ok(name + ": a page that was fetched is reported with its content and its validator", says(page, "\"visits\":1", "\"etag\":\"\\\"v1\\\"\""), page);
		if (!failuresToo)
			return;
		page = known(site + "/gone/" + name);
		ok(name + ": a page that is gone is reported", says(page, "\"gones\":1"), page);
		page = known("http://127.0.0.1:1/" + name);
		ok(name + ": a host that does not answer is reported", says(page, "\"visits\":0", "\"failures\":1"), page);
		page = known(site + "/target/" + name);
		ok(name + ": where a redirect leads is a page from then on", says(page, "\"url\":\"" + site + "/target/" + name + "\"", "\"visits\":0"), page);
	}

	static List<String> pages(String name) {
		return List.of(site + "/page/" + name, site + "/gone/" + name, site + "/moved/" + name, "http://127.0.0.1:1/" + name);
	}

	static Tuple tuple(Map<String, Object> values) {
		return new Tuple() {
			public boolean contains(String field) { return values.containsKey(field); }
			public Object getValueByField(String field) { return values.get(field); }
			public String getStringByField(String field) { return (String) values.get(field); }
			public byte[] getBinaryByField(String field) { return (byte[]) values.get(field); }
		};
	}

	static void heritrix(Perennial client) throws Exception {
		HeritrixReporter reporter = new HeritrixReporter();
		reporter.setServer(server);
		reporter.setTokenFile(tokenFile);
		client.add(String.join("\n", pages("heritrix")));
		List<CrawlURI> seen = new ArrayList<>();
		crawl("heritrix", client.due(100), (url, answer) -> {
			CrawlURI uri = new CrawlURI();
			uri.uri = url;
			uri.status = answer != null ? answer.statusCode() : -2;
			if (answer != null) {
				answer.headers().map().forEach((name, values) -> uri.headers.put(name, values.get(0)));
				uri.type = header(answer, "Content-Type");
				uri.body = answer.body();
			}
			seen.add(uri);
			reporter.process(uri);
		}, true);
		ok("heritrix: what was due was handed out once, and nothing failed", seen.size() == 4 && seen.stream().allMatch(uri -> uri.getNonFatalFailures().isEmpty()), seen.size());
		CrawlURI robots = new CrawlURI();
		robots.uri = site + "/robots.txt";
		robots.status = 200;
		reporter.process(robots);
		ok("heritrix: robots.txt is not reported as a page", known(robots.uri).contains("error"), known(robots.uri));
	}

	static void stormCrawler(Perennial client) throws Exception {
		Map<String, Object> conf = Map.of("perennial.server", server, "perennial.token.file", tokenFile);
		PerennialSpout spout = new PerennialSpout();
		PerennialBolt bolt = new PerennialBolt();
		OutputCollector collector = new OutputCollector();
		client.add(String.join("\n", pages("stormcrawler")));
		spout.open(conf, new TopologyContext(), new SpoutOutputCollector());
		bolt.prepare(conf, new TopologyContext(), collector);
		spout.nextTuple();
		crawl("stormcrawler", spout.buffered, (url, answer) -> {
			Metadata metadata = new Metadata();
			Map<String, Object> values = new HashMap<>(Map.of("url", url, "metadata", metadata));
			boolean content = answer != null && answer.statusCode() == 200;
			if (content)
				values.put("content", answer.body());
			else
				values.put("status", answer == null ? "FETCH_ERROR" : answer.statusCode() == 301 ? "REDIRECTION" : "ERROR");
			if (answer != null) {
				metadata.setValue("fetch.statusCode", "" + answer.statusCode());
				metadata.setValue("etag", header(answer, "ETag"));
				metadata.setValue("content-type", header(answer, "Content-Type"));
				metadata.setValue("_redirTo", header(answer, "Location"));
			}
			bolt.execute(tuple(values));
		}, true);
		bolt.execute(tuple(Map.of("url", site + "/met", "metadata", new Metadata(), "status", "DISCOVERED")));
		ok("stormcrawler: the target of the redirect apart, what was due was handed out once, and each tuple is acknowledged",
				spout.buffered.size() >= 4 && collector.failed == 0 && collector.acked == spout.buffered.size() + 1 && spout.received, spout.buffered);
		ok("stormcrawler: a link that was met is not reported", known(site + "/met").contains("error"), known(site + "/met"));
	}

	static void nutch(Perennial client) throws Exception {
		NutchReporter reporter = new NutchReporter();
		Configuration conf = new Configuration();
		ParseResult parsed = new ParseResult();
		conf.set("perennial.server", server);
		conf.set("perennial.token.file", tokenFile);
		reporter.setConf(conf);
		client.add(site + "/page/nutch");
		crawl("nutch", client.due(100), (url, answer) -> {
			Content content = new Content();
			content.url = url;
			content.type = header(answer, "Content-Type");
			content.bytes = answer.body();
			content.getMetadata().set("ETag", header(answer, "ETag"));
			if (reporter.filter(content, parsed, new HTMLMetaTags(), null) != parsed)
				throw new IllegalStateException("the parse is not what it was");
		}, false);
	}

	public static void main(String[] words) throws Exception {
		server = words[0];
		tokenFile = words[1];
		count = Integer.parseInt(words[2]);
		startSite();
		Perennial client = new Perennial(server, tokenFile);
		heritrix(client);
		stormCrawler(client);
		nutch(client);

		client.add(site + "/page/given");
		ok("a lease keeps a page from others", client.due(100).contains(site + "/page/given") && client.due(100).isEmpty(), "it was handed out twice");
		ok("a lease that is given back leaves the page due", client.release().contains("\"released\":") && client.due(100).contains(site + "/page/given"), "it is not due");
		byte[] sitemap = ("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>" + site + "/page/nutch</loc><lastmod>2040-01-01</lastmod></url></urlset>").getBytes(StandardCharsets.UTF_8);
		String hinted = client.hint(site + "/sitemap.xml", "application/xml", sitemap);
		ok("a sitemap is taken as hints", hinted.contains("{"), hinted);
		try {
			client.report("http://a.example/", 200, Map.of("time", "never"), "text/html", new byte[0]);
			ok("what the daemon refuses is thrown, with its reason", false, "it was taken");
		} catch (IOException refused) {
			ok("what the daemon refuses is thrown, with its reason", refused.getMessage().contains("400"), refused.getMessage());
		}
		String decision = "";
		for (int day = 1; day <= 2; day++)
			decision = client.report(site + "/untyped", 200, Map.of("time", "2026-05-0" + day), null,
					("<!doctype html><p>boats to the islands leave the old pier at nine<i class=\"c" + day + "\"></i>").getBytes(StandardCharsets.UTF_8));
		ok("a page without a type is HTML by its first bytes: other markup is no change", says(decision, "\"observed\"", "\"divergence\":0.0,"), decision);
		System.out.println("1.." + count);
		System.exit(0);
	}
}
