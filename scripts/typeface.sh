#!/bin/sh
# Makes src/lib/inter-latin.woff2 out of the package's Latin part: the weights in use, kerning, contextual alternates and
# tabular figures, without the letters that marks are set on. Run from the root after the package changed; needs
# fonttools and brotli (`pip install fonttools brotli`).
set -eu
work=$(mktemp -d)
pyftsubset node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2 \
  --unicodes=U+0000-02FF,U+2000-FFFD --layout-features=kern,calt,tnum --no-hinting --name-IDs=0,1,2,3,4,5,6,13,14 \
  --notdef-outline --glyph-names --output-file="$work/parts.ttf"
fonttools varLib.instancer --quiet "$work/parts.ttf" wght=400:700 --output="$work/weights.ttf"
fonttools ttLib.woff2 compress "$work/weights.ttf" -o src/lib/inter-latin.woff2
rm -r "$work"
