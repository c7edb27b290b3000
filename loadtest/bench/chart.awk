# From medians.csv, a chart of bars as SVG; one length is one rate for all of them.
BEGIN { FS = "," }
NR > 1 {
  label[++n] = $2 ($4 > 1 ? ", " $4 " at a time" : "") ", " $3 ($3 > 1 ? " connections" : " connection")
  rate[n] = $5
  p99[n] = $7
  ours[n] = $2 ~ /^gateway/
  if ($5 > most) most = $5
}
END {
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"960\" height=\"%d\"", 22 * n + 44
  print " font-family=\"sans-serif\" font-size=\"12\">"
  print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
  print "<text x=\"10\" y=\"20\" font-size=\"14\">Served a second, median of the rounds"
  print "  (99th percentile of a request)</text>"
  for (i = 1; i <= n; i++) {
    y = 14 + 22 * i
    width = most > 0 ? 390 * rate[i] / most : 0
    printf "<text x=\"405\" y=\"%d\" text-anchor=\"end\">%s</text>\n", y + 14, label[i]
    printf "<rect x=\"413\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"%s\"/>\n", y + 2, width,
      ours[i] ? "#2166ac" : "#999"
    printf "<text x=\"%.1f\" y=\"%d\">%d  (%s ms)</text>\n", 419 + width, y + 14, rate[i], p99[i]
  }
  print "</svg>"
}
