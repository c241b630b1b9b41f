"use strict";
(() => {
	const tables = [...document.querySelectorAll("table.sorted")];
	const value = cell => cell.dataset.v !== undefined ? +cell.dataset.v : isNaN(cell.textContent) ? cell.textContent : +cell.textContent;
	const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));

	// A heading sorts by its column: text upwards first, numbers downwards.
	const sort = (table, column, heading) => {
		const body = table.tBodies[0], rows = [...body.rows], was = heading.getAttribute("aria-sort");
		const down = was ? was === "ascending" : typeof value(rows[0]?.cells[column] ?? heading) === "number";
		rows.sort((a, b) => (down ? -1 : 1) * compare(value(a.cells[column]), value(b.cells[column])));
		body.append(...rows);
		for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
		heading.setAttribute("aria-sort", down ? "descending" : "ascending");
	};
	for (const table of tables)
		[...table.tHead.rows[0].cells].forEach((heading, column) => {
			const button = document.createElement("button");
			button.type = "button";
			button.textContent = heading.textContent;
			heading.replaceChildren(button);
			button.addEventListener("click", () => sort(table, column, heading));
		});

	const filter = document.getElementById("filter"), matches = document.getElementById("matches");
	filter.closest("p").hidden = false;
	filter.addEventListener("input", () => {
		const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean), said = [];
		for (const table of tables) {
			let count = 0;
			for (const row of table.tBodies[0].rows) {
				const text = row.textContent.toLowerCase();
				row.hidden = !wanted.every(word => text.includes(word));
				count += !row.hidden;
			}
			said.push(`${count} ${table.id}`);
		}
		matches.textContent = wanted.length ? said.join(", ") : "";
	});
})();
