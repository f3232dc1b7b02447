package io.kairo.workspace.search;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The supported file types: names and globs of ripgrep, and a few long forms of names.
 */
final class FileTypes {

	private static final Map<String, List<SegmentPattern>> TYPES = parse("""
			asciidoc: *.adoc, *.asc, *.asciidoc
			asm: *.S, *.asm, *.s
			avro: *.avdl, *.avpr, *.avsc
			bazel: *.BUILD, *.bazel, *.bazelrc, *.bzl, BUILD, WORKSPACE
			c: *.[chH], *.[chH].in, *.cats
			clojure: *.clj, *.cljc, *.cljs, *.cljx
			cmake: *.cmake, CMakeLists.txt
			coffeescript: *.coffee
			config: *.cfg, *.conf, *.config, *.ini
			cpp: *.[ChH], *.[ChH].in, *.[ch]pp, *.[ch]pp.in, *.[ch]xx, *.[ch]xx.in, *.cc, *.cc.in, *.hh, \
			*.hh.in, *.inl
			crystal: *.cr, Projectfile
			cs: *.cs
			csharp: *.cs
			css: *.css, *.scss
			csv: *.csv
			d: *.d
			dart: *.dart
			diff: *.diff, *.patch
			docker: *Dockerfile*
			edn: *.edn
			elixir: *.eex, *.ex, *.exs
			erlang: *.erl, *.hrl
			fish: *.fish
			fortran: *.F, *.F77, *.F90, *.F95, *.f, *.f77, *.f90, *.f95, *.pfo
			fsharp: *.fs, *.fsi, *.fsx
			go: *.go
			gradle: *.gradle
			groovy: *.gradle, *.groovy
			h: *.h, *.hpp
			haskell: *.c2hs, *.cpphs, *.hs, *.hsc, *.lhs
			html: *.ejs, *.htm, *.html
			java: *.java, *.jsp, *.jspx, *.properties
			javascript: *.js, *.jsx, *.vue
			jinja: *.j2, *.jinja, *.jinja2
			js: *.js, *.jsx, *.vue
			json: *.json, composer.lock
			jsonl: *.jsonl
			julia: *.jl
			kotlin: *.kt, *.kts
			less: *.less
			license: *[.-]LICEN[CS]E*, AGPL-*[0-9]*, APACHE-*[0-9]*, BSD-*[0-9]*, CC-BY-*, COPYING, \
			COPYING[.-]*, COPYRIGHT, COPYRIGHT[.-]*, EULA, EULA[.-]*, GFDL-*[0-9]*, GNU-*[0-9]*, \
			GPL-*[0-9]*, LGPL-*[0-9]*, LICEN[CS]E, LICEN[CS]E[.-]*, MIT-*[0-9]*, MPL-*[0-9]*, NOTICE, \
			NOTICE[.-]*, OFL-*[0-9]*, PATENTS, PATENTS[.-]*, UNLICEN[CS]E, UNLICEN[CS]E[.-]*, agpl[.-]*, \
			gpl[.-]*, lgpl[.-]*, licen[cs]e, licen[cs]e.*
			lisp: *.el, *.jl, *.lisp, *.lsp, *.sc, *.scm
			lock: *.lock, package-lock.json
			log: *.log
			lua: *.lua
			make: *.mak, *.mk, [Gg][Nn][Uu]makefile, [Gg][Nn][Uu]makefile.am, [Gg][Nn][Uu]makefile.in, \
			[Mm]akefile, [Mm]akefile.am, [Mm]akefile.in
			markdown: *.markdown, *.md, *.mdown, *.mkdn
			md: *.markdown, *.md, *.mdown, *.mkdn
			msbuild: *.csproj, *.fsproj, *.proj, *.props, *.targets, *.vcxproj
			nim: *.nim, *.nimble, *.nimf, *.nims
			nix: *.nix
			objc: *.h, *.m
			ocaml: *.ml, *.mli, *.mll, *.mly
			perl: *.PL, *.perl, *.pl, *.plh, *.plx, *.pm, *.t
			php: *.php, *.php3, *.php4, *.php5, *.phtml
			protobuf: *.proto
			ps: *.cdxml, *.ps1, *.ps1xml, *.psd1, *.psm1
			puppet: *.erb, *.pp, *.rb
			py: *.py
			python: *.py
			r: *.R, *.Rmd, *.Rnw, *.r
			readme: *README, README*
			rst: *.rst
			ruby: *.gemspec, *.rb, *.rbw, .irbrc, Gemfile, Rakefile, config.ru
			rust: *.rs
			sass: *.sass, *.scss
			scala: *.sbt, *.scala
			sh: *.bash, *.bashrc, *.csh, *.cshrc, *.ksh, *.kshrc, *.sh, *.tcsh, *.zsh, .bash_login, \
			.bash_logout, .bash_profile, .bashrc, .cshrc, .kshrc, .login, .logout, .profile, .tcshrc, \
			.zlogin, .zlogout, .zprofile, .zshenv, .zshrc, bash_login, bash_logout, bash_profile, bashrc, \
			profile, zlogin, zlogout, zprofile, zshenv, zshrc
			sql: *.psql, *.sql
			swift: *.swift
			systemd: *.automount, *.conf, *.device, *.link, *.mount, *.path, *.scope, *.service, *.slice, \
			*.socket, *.swap, *.target, *.timer
			tex: *.bib, *.cls, *.dtx, *.ins, *.ltx, *.sty, *.tex
			tf: *.tf
			thrift: *.thrift
			toml: *.toml, Cargo.lock
			ts: *.ts, *.tsx
			twig: *.twig
			txt: *.txt
			verilog: *.sv, *.svh, *.v, *.vh
			typescript: *.ts, *.tsx
			vhdl: *.vhd, *.vhdl
			vim: *.vim
			xml: *.dtd, *.rng, *.sch, *.xhtml, *.xjb, *.xml, *.xml.dist, *.xsd, *.xsl, *.xslt
			yaml: *.yaml, *.yml
			zig: *.zig
			zsh: *.zsh, .zlogin, .zlogout, .zprofile, .zshenv, .zshrc, zlogin, zlogout, zprofile, zshenv, \
			zshrc
			""");

	private FileTypes() {
	}

	/**
	 * Returns the globs of a type.
	 * @throws SearchPatternException if the type is unknown
	 */
	static List<SegmentPattern> named(String type) {
		List<SegmentPattern> globs = TYPES.get(type);
		if (globs == null) {
			throw new SearchPatternException("There is no file type '" + type + "': give a glob instead, or one of "
					+ String.join(", ", names()) + ".");
		}
		return globs;
	}

	static List<String> names() {
		return List.copyOf(TYPES.keySet());
	}

	private static Map<String, List<SegmentPattern>> parse(String table) {
		return table.lines()
			.map((line) -> line.split(": ", 2))
			.collect(Collectors.collectingAndThen(Collectors.toMap((row) -> row[0],
					(row) -> Arrays.stream(row[1].split(", ")).map(SegmentPattern::of).toList(), (a, b) -> a,
					LinkedHashMap::new), Collections::unmodifiableMap));
	}

}
