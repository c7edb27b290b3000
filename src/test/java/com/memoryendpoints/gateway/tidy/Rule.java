package com.memoryendpoints.gateway.tidy;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One house rule: what it says, how its offences are found, and a sample that breaks it, by which
 * the rule is shown to bite.
 */
public record Rule(
    String law, Function<List<Source>, Stream<Offence>> offences, List<Source> breach) {

  /** A rule that looks at one file at a time. */
  static Rule perFile(
      String law,
      Predicate<Source> reads,
      Function<Source, Stream<Offence>> offences,
      Source... breach) {
    return new Rule(
        law, sources -> sources.stream().filter(reads).flatMap(offences), List.of(breach));
  }

  /** Every breach in these sources, sorted. */
  public List<String> breachesIn(List<Source> sources) {
    return offences.apply(sources).map(Offence::toString).distinct().sorted().toList();
  }

  @Override
  public String toString() {
    return law;
  }
}
