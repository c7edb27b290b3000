# From flat.csv: the rate of each tenth of the run, and each table before it, after a tenth, after it.
BEGIN { FS = "," }
NR > 1 {
  slice = $1
  if (slice > 0 && $2 == "leases") {
    rates = rates " " $8
    if (slice == 1) first = $8
    last = $8
  }
  if (slice == 0) tables[++n] = $2
  mb[$2, slice] = $3 " + " $4
  updates[$2, slice] = $5
  hot[$2, slice] = $6
  dead[$2, slice] = $7
}
END {
  printf "\nClaims a second in each tenth of the run:%s\n", rates
  printf "the last tenth to the first: %.2f\n\n", (first > 0 ? last / first : 0)
  form = "%-20s  %17s  %17s  %17s  %9s  %9s\n"
  printf form, "table + indexes, MB", "before", "after a tenth", "after", "HOT", "dead rows"
  for (t = 1; t <= n; t++) {
    changed = updates[tables[t], slice] - updates[tables[t], 0]
    printf form, tables[t], mb[tables[t], 0], mb[tables[t], 1], mb[tables[t], slice],
      changed ? sprintf("%.2f %%", 100 * (hot[tables[t], slice] - hot[tables[t], 0]) / changed) : "-",
      dead[tables[t], slice]
  }
}
