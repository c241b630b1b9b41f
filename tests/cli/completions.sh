#!/usr/bin/env bash
# What bash, zsh and fish offer when a person asks them to complete a word: each shell is asked itself, where it is there.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

for shell in bash zsh fish; do
	code "completions $shell succeeds" 0 "$PERENNIAL" completions "$shell"
	printf '%s\n' "$out" > "$shell"
done
code "completions of a shell that is unknown is a usage error" 2 "$PERENNIAL" completions tcsh
like "the shells that are known are named" "$err" "'tcsh' is none of bash, zsh and fish"
code "completions without a shell is a usage error" 2 "$PERENNIAL" completions
code "completions that cannot be written fail" 3 bash -c '"$PERENNIAL" completions bash > /dev/full'

mkdir bin data data/folder && ln -s "$PERENNIAL" bin/perennial && : > data/some.trace
PATH=$tmp/bin:$PATH
commands=$("$PERENNIAL" --help | sed -n 's/^  \([a-z]*\)  *[^ ].*/\1/p')
long_options() { "$PERENNIAL" "$1" --help | grep -oE '^ +(-[a-z], )?--[a-z0-9-]+=?' | grep -oE -- '--.*' | sort; }

# bash divides words at "=", so these are words as it has them.
. ./bash
like "bash has a function for perennial" "$(complete -p perennial)" "^complete -F _perennial perennial$"
in_bash() {
	COMP_WORDS=(perennial "$@") COMP_CWORD=$#
	_perennial
	printf '%s\n' "${COMPREPLY[@]}"
}
same "bash offers every command, and help" "$(in_bash '' | sort)" "$(printf '%s\n' $commands help | sort)"
same "bash offers every command to help" "$(in_bash help '' | sort)" "$(printf '%s\n' $commands help | sort)"
same "bash completes a command" "$(in_bash exp)" "$(printf 'explain\nexport')"
for command in $commands; do
	same "bash offers every option that $command --help lists, and no other" "$(in_bash "$command" -- | sort)" "$(long_options "$command")"
done
same "bash completes a word of some" "$(in_bash due --format = j)" json
same "bash offers all words of some behind the sign" "$(in_bash due --format '=')" "$(printf 'table\ntsv\njson\ncsv')"
same "bash completes where a person told it not to divide words at =" "$(in_bash due --format=j)" --format=json
same "bash completes a word of some behind an option that is a word of its own" "$(in_bash due --format t)" "$(printf 'table\ntsv')"
same "bash completes the last word of several" "$(in_bash observe --hints = sitemap,f)" sitemap,feed
same "bash completes a policy by the list of them" "$(in_bash evaluate -p cgm,uni)" cgm,uniform
same "bash completes the policy of a short option's value with =" "$(in_bash evaluate --policy = dri)" drift
same "bash completes the words of what evaluate tells" "$(in_bash evaluate --metric = fragment,h)" "$(printf 'fragment,holistic\nfragment,harmonic')"
same "bash completes a word where other commands have policies" "$(in_bash allocate --policy = o)" optimal

# Each option whose values are certain words: its name, and these with spaces between.
closed() { "$PERENNIAL" "$1" --help | sed -nE 's/^ +(-[a-z], )?--([a-z0-9-]+)=([a-z0-9]+([-|,a-z0-9]+)?)( .*|$)/\2 \3/p' | tr '|,' '  '; }
mkdir wrong
for command in $commands; do
	offered=
	while read -r option words; do
		[ -n "$option" ] || continue
		[ "$(in_bash "$command" "--$option" = '' | tr '\n' ' ')" = "$words " ] || offered+=" --$option"
	done < <(closed "$command")
	same "bash offers the words of each option of $command that takes certain ones" "$offered" ""
	# What takes a name in capitals, and then says that it takes this, that or another word, has words that no shell knows of.
	hidden=
	for option in $("$PERENNIAL" "$command" --help | sed -nE 's/^ +(-[a-z], )?--([a-z0-9-]+)=[^ ]*[A-Z].*/\2/p'); do
		said=$(cd wrong && "$PERENNIAL" "$command" "--$option=no-such-word" some.trace < /dev/null 2>&1 > /dev/null)
		[[ ! $said =~ takes\ ([a-z-]+,\ )*[a-z-]+\ or\ [a-z-]+,\ not ]] || hidden+=" --$option"
	done
	same "$command has no option that takes certain words and does not tell which" "$hidden" ""
done
same "bash offers nothing where a number goes" "$(in_bash due --limit = '')" ''
same "bash offers options behind a flag" "$(in_bash due --group-by-address --lim)" --limit=
same "bash offers files to what takes files" "$(in_bash dump data/s)" data/some.trace
same "bash offers files to what takes a trace" "$(in_bash evaluate --learn-prior = data/s)" data/some.trace
same "bash offers folders, and no files, to what takes a folder" "$(in_bash due --state = data/)" data/folder
same "bash offers nothing where a URL goes" "$(in_bash explain '')" ''

if command -v fish >/dev/null; then
	in_fish() { HOME=$tmp fish --no-config -c 'source fish; complete -C "$argv"' "perennial $*" | cut -f 1; }
	ok "fish reads the script" fish --no-execute fish
	same "fish offers every command, and help" "$(in_fish '' | sort)" "$(printf '%s\n' $commands help | sort)"
	same "fish completes a command" "$(in_fish exp)" "$(printf 'explain\nexport')"
	same "fish offers every option that evaluate --help lists" "$(in_fish evaluate -- | sort)" "$(long_options evaluate | tr -d =)"
	for command in $commands; do
		offered=
		while read -r option words; do
			[ -n "$option" ] || continue
			[ "$(printf -- '--%s\n' $words | sed "s/^--/--$option=/" | sort)" = "$(in_fish "$command" "--$option=" | sort)" ] || offered+=" --$option"
		done < <(closed "$command")
		same "fish offers the words of each option of $command that takes certain ones" "$offered" ""
	done
	same "fish completes a word of some" "$(in_fish due --format=j)" --format=json
	same "fish completes the last word of several" "$(in_fish observe --hints=sitemap,f)" --hints=sitemap,feed
	like "fish completes a policy by the list of them" "$(in_fish evaluate -p uni)" uniform
	same "fish offers files to what takes files" "$(in_fish dump data/s)" data/some.trace
	same "fish offers folders, and no files, to what takes a folder" "$(in_fish due --state=data/)" --state=data/folder/
	same "fish offers no files where a URL goes" "$(in_fish explain da)" ''
else
	skip "fish completes" "fish is not installed"
fi

# zsh completes in its line editor alone, so that it gets a terminal.
cat > drive.zsh <<'ZSH'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT= ; unsetopt zle_bracketed_paste prompt_cr prompt_sp; autoload -Uz compinit; compinit -u -D; source ./zsh; unsetopt auto_list beep list_beep; bindkey '^I' complete-word; show() { print -r -- \"<\$BUFFER>\"; BUFFER=; zle accept-line }; zle -N show; bindkey '^X' show; print rea''dy"
zpty -r -m z line '*ready*'
for words; do
	zpty -w -n z "$words"$'\t\x18'
	zpty -r -m z line '*<*>*'
	print -r -- ${${line##*<}%%>*}
done
zpty -d z
ZSH
if command -v zsh >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	ok "zsh reads the script" zsh -n zsh
	timeout 60 zsh -f drive.zsh "perennial rel" "perennial help eva" "perennial due --forma" "perennial due --format=j" "perennial due -n 3 --format t" \
		"perennial observe --hints=sitemap,f" "perennial evaluate -p cgm,dri" "perennial dump data/s" "perennial due --state=da" "perennial explain http://a.example/ --forma" \
		"perennial evaluate --metric=fragment,hol" "perennial evaluate -w war" "perennial allocate --policy=opt" "perennial simulate --ordering=pagerank,back" "perennial serve --log-level=deb" > offered
	n=0
	while IFS='|' read -r title want; do
		n=$((n + 1))
		same "zsh completes $title" "$(sed -n "${n}s/[ ,]*\$//p" offered)" "perennial $want"
	done <<-'WANT'
		a command|release
		the command that help is asked about|help evaluate
		an option, and its sign|due --format=
		a word of some|due --format=json
		behind a short option's value as far as words have it in common|due -n 3 --format t
		the last word of several|observe --hints=sitemap,feed
		a policy by the list of them|evaluate -p cgm,drift
		a file|dump data/some.trace
		a folder|due --state=data/
		an option behind a URL|explain http://a.example/ --format=
		the last of several metrics|evaluate --metric=fragment,holistic
		a window|evaluate -w warm-up
		a word where other commands have policies|allocate --policy=optimal
		the last of several orderings|simulate --ordering=pagerank,backlink
		a level of the log|serve --log-level=debug
	WANT
else
	skip "zsh completes" "zsh, or a terminal for it, is not there"
fi
done_testing
