# From turns.csv, the median of the rounds of each turn: printed as a table, and written as CSV to the
# variable csv. The ratios are medians of each round's own, for claims of a name and a memory alone.
function median(values, n,   i, j, v) {
  for (i = 2; i <= n; i++) {
    v = values[i]
    for (j = i - 1; j > 0 && values[j] > v; j--) values[j + 1] = values[j]
    values[j + 1] = v
  }
  return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
}
function over(column, turn,   values, i) {
  for (i = 1; i <= n[turn]; i++) values[i] = figure[turn, column, i]
  return median(values, n[turn])
}
function ratio(turn, peer,   values, i, m) {
  if (substr(turn, 1, 1) !~ /[abefgik]/) return "-"
  for (i = 1; i <= n[turn]; i++)
    if (best[peer, i] > 0) values[++m] = figure[turn, "per_second", i] / best[peer, i]
  return m ? sprintf("%.2f", median(values, m)) : "-"
}
BEGIN { FS = "," }
NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
{
  turn = $2 FS $3 FS $4 FS $5
  if (!(turn in n)) turns[++count] = turn
  round = ++n[turn]
  for (i = 6; i <= NF; i++) figure[turn, name[i], round] = $i
  others[turn] += $9
  errors[turn] += $10
  if ($6 > best[$2, round]) best[$2, round] = $6
}
END {
  print "part,what,connections,batch,per_second,p50_ms,p99_ms,others,errors,x_textbook,x_etcd,x_redis" > csv
  form = "%-4s  %-31s  %11s  %5s  %9s  %8s  %8s  %7s  %6s  %10s  %6s  %7s\n"
  printf "\nMedians of the rounds.\n" form, "part", "what", "connections", "batch", "/s", "p50 ms",
    "p99 ms", "others", "errors", "x textbook", "x etcd", "x Redis"
  for (pass = 0; pass < 26; pass++)
    for (t = 1; t <= count; t++) {
      turn = turns[t]
      split(turn, key, FS)
      if (key[1] != sprintf("%c", 97 + pass)) continue
      printf form, key[1], key[2], key[3], key[4], sprintf("%.0f", over("per_second", turn)),
        sprintf("%.2f", over("p50_ms", turn)), sprintf("%.2f", over("p99_ms", turn)), others[turn],
        errors[turn], ratio(turn, "e"), ratio(turn, "f"), ratio(turn, "g")
      printf "%s,%.0f,%.2f,%.2f,%d,%d,%s,%s,%s\n", turn, over("per_second", turn),
        over("p50_ms", turn), over("p99_ms", turn), others[turn], errors[turn], ratio(turn, "e"),
        ratio(turn, "f"), ratio(turn, "g") > csv
    }
}
