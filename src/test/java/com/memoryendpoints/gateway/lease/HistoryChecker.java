package com.memoryendpoints.gateway.lease;

import static java.util.Comparator.comparing;

import com.memoryendpoints.gateway.lease.History.Act;
import com.memoryendpoints.gateway.lease.History.Deed;
import com.memoryendpoints.gateway.lease.History.Ending;
import com.memoryendpoints.gateway.lease.History.Grant;
import com.memoryendpoints.gateway.lease.History.Replay;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges a history by what seed 1 promises, knowing nothing of how it was made. It reports only
 * what no order of the statements can explain: where an answer does not say when it took effect, it
 * is given the benefit of the whole time between its asking and its answer.
 */
final class HistoryChecker {

  /** What a history may not show. */
  enum Fault {
    TOKEN_REPEATED,
    TOKEN_WENT_BACK,
    MEMORY_LEASED_TWICE,
    NAME_LEASED_TWICE,
    GRANTED_LAPSED,
    RENEWED_AFTER_END,
    VERIFIED_AFTER_END,
    WRITTEN_AFTER_END,
    RELEASED_AFTER_END,
    LAPSE_RECORDED_WRONGLY,
    REVISION_REPEATED,
    KEY_TOOK_EFFECT_TWICE,
    REPLAY_DIFFERS,
    AUDIT_DIFFERS
  }

  /** One sight of a fault. */
  record Violation(Fault fault, String what) {}

  private record Issue(Instant at, long token, Object by) {}

  private record LeaseId(UUID memoryId, long token) {}

  private final History history;
  private final List<Violation> found = new ArrayList<>();
  private final Map<Grant, List<Act>> acts;
  private final Map<LeaseId, List<Ending>> endings;
  private final Map<Grant, Grant> nextOfMemory = new HashMap<>();
  private final Map<Grant, Grant> nextOfName = new HashMap<>();

  private HistoryChecker(History history) {
    this.history = history;
    acts = history.acts.stream().collect(Collectors.groupingBy(Act::grant));
    endings =
        history.endings.stream()
            .collect(Collectors.groupingBy(e -> new LeaseId(e.memoryId(), e.token())));
  }

  /** Everything in the history that breaks a promise. */
  static List<Violation> violations(History history) {
    HistoryChecker checker = new HistoryChecker(history);
    checker.tokens();
    checker.intervals(Grant::memoryId, checker.nextOfMemory, Fault.MEMORY_LEASED_TWICE);
    checker.intervals(Grant::nameKey, checker.nextOfName, Fault.NAME_LEASED_TWICE);
    history.grants.forEach(checker::tenure);
    checker.lapses();
    checker.revisions();
    checker.keys();
    checker.audit();
    return checker.found;
  }

  /** How often each fault was seen. */
  static Map<Fault, Long> count(List<Violation> violations) {
    return violations.stream()
        .collect(Collectors.groupingBy(Violation::fault, Collectors.counting()));
  }

  private void tokens() {
    issues(Grant::memoryId, Ending::memoryId).values().forEach(this::increasing);
    issues(Grant::nameKey, Ending::nameKey).values().forEach(this::increasing);
  }

  private <T> Map<T, List<Issue>> issues(Function<Grant, T> granted, Function<Ending, T> raised) {
    Map<T, List<Issue>> issues = new HashMap<>();
    for (Grant g : history.grants) {
      add(issues, granted.apply(g), new Issue(g.at(), g.token(), g));
    }
    for (Ending e : history.endings) {
      if (e.raised() != 0) {
        add(issues, raised.apply(e), new Issue(e.at(), e.raised(), e));
      }
    }
    return issues;
  }

  private static <T> void add(Map<T, List<Issue>> issues, T key, Issue issue) {
    issues.computeIfAbsent(key, absent -> new ArrayList<>()).add(issue);
  }

  private void increasing(List<Issue> issues) {
    issues.sort(comparing(Issue::at).thenComparing(Issue::token));
    Set<Long> seen = new HashSet<>();
    long highest = 0;
    for (Issue issue : issues) {
      if (!seen.add(issue.token())) {
        report(Fault.TOKEN_REPEATED, issue.by());
      } else if (issue.token() < highest) {
        report(Fault.TOKEN_WENT_BACK, issue.by() + " after " + highest);
      }
      highest = Math.max(highest, issue.token());
    }
  }

  /** Leases of one thing, one after the other; only an owner may succeed itself before the end. */
  private <T> void intervals(Function<Grant, T> thing, Map<Grant, Grant> next, Fault fault) {
    history.grants.stream()
        .collect(Collectors.groupingBy(thing))
        .values()
        .forEach(
            grants -> {
              List<Grant> inOrder = new ArrayList<>(grants);
              inOrder.sort(comparing(Grant::at).thenComparing(Grant::token));
              for (int i = 1; i < inOrder.size(); i++) {
                Grant before = inOrder.get(i - 1);
                Grant after = inOrder.get(i);
                next.put(before, after);
                if (after.at().isBefore(end(before)) && !succeedsItself(before, after)) {
                  report(fault, before + " until " + end(before) + " and " + after);
                }
              }
            });
  }

  private static boolean succeedsItself(Grant before, Grant after) {
    return before.owner().equals(after.owner())
        && before.memoryId().equals(after.memoryId())
        && before.nameKey().equals(after.nameKey())
        // A late original may not end its own successor.
        && before.key().toString().compareTo(after.key().toString()) < 0;
  }

  /** What the owner did, against the time that it had. */
  private void tenure(Grant grant) {
    if (!grant.until().isAfter(grant.at())) {
      report(Fault.GRANTED_LAPSED, grant);
    }
    for (Act act : actsOf(grant)) {
      switch (act.deed()) {
        case RENEWED -> renewal(act);
        case VERIFIED -> verification(act);
        case RELEASED -> within(act, timeAndTakeover(grant), Fault.RELEASED_AFTER_END);
        case COMMITTED, BRANCHED ->
            within(act, earliest(end(grant), takeover(grant)), Fault.WRITTEN_AFTER_END);
      }
    }
  }

  private Instant timeAndTakeover(Grant grant) {
    return earliest(lapse(grant), cut(grant, Ending::at), takeover(grant));
  }

  private void within(Act act, Instant end, Fault fault) {
    if (act.at().isBefore(act.grant().at()) || !act.at().isBefore(end)) {
      report(fault, act + " but ended " + end);
    }
  }

  private void renewal(Act act) {
    Grant grant = act.grant();
    Instant ended =
        earliest(
            cut(grant, Ending::at),
            takeover(grant),
            released(grant).map(Act::at).min(Comparator.naturalOrder()).orElse(Instant.MAX));
    boolean alive =
        Stream.concat(Stream.of(grant.until()), othersBefore(act).map(Act::until))
            .anyMatch(until -> until.isAfter(act.asked()));
    if (!act.asked().isBefore(ended) || !alive || !act.until().isAfter(act.asked())) {
      report(Fault.RENEWED_AFTER_END, act + " but ended " + earliest(ended, lapse(grant)));
    }
  }

  private Stream<Act> othersBefore(Act act) {
    return History.of(Deed.RENEWED, actsOf(act.grant())).stream()
        .filter(other -> !other.equals(act) && !other.asked().isAfter(act.answered()));
  }

  /** A read may be as old as its asking: only what had been answered by then counts against it. */
  private void verification(Act act) {
    Grant grant = act.grant();
    Instant known =
        earliest(
            lapse(grant),
            cut(grant, Ending::answered),
            released(grant).map(Act::answered).min(Comparator.naturalOrder()).orElse(Instant.MAX),
            answered(nextOfMemory.get(grant)),
            answered(nextOfName.get(grant)));
    if (!act.asked().isBefore(known)) {
      report(Fault.VERIFIED_AFTER_END, act + " but known to have ended " + known);
    }
  }

  /** A lapse is recorded after the lease's end, and once. */
  private void lapses() {
    Map<LeaseId, Grant> grants = new HashMap<>();
    history.grants.forEach(g -> grants.put(new LeaseId(g.memoryId(), g.token()), g));
    Set<LeaseId> recorded = new HashSet<>();
    for (Ending lapse : history.lapses) {
      LeaseId lease = new LeaseId(lapse.memoryId(), lapse.token());
      Grant grant = grants.get(lease);
      if (grant == null || lapse.at().isBefore(end(grant)) || !recorded.add(lease)) {
        report(Fault.LAPSE_RECORDED_WRONGLY, lapse + " of " + grant);
      }
    }
  }

  private void revisions() {
    history.acts.stream()
        .filter(act -> act.deed() == Deed.COMMITTED)
        .collect(Collectors.groupingBy(act -> act.grant().memoryId()))
        .values()
        .forEach(
            commits -> {
              List<Act> inOrder = new ArrayList<>(commits);
              inOrder.sort(comparing(Act::at).thenComparing(Act::revision));
              for (int i = 1; i < inOrder.size(); i++) {
                if (inOrder.get(i).revision() <= inOrder.get(i - 1).revision()) {
                  report(Fault.REVISION_REPEATED, inOrder.get(i));
                }
              }
            });
  }

  private void keys() {
    Map<UUID, Grant> byKey = new HashMap<>();
    for (Grant grant : history.grants) {
      if (byKey.put(grant.key(), grant) != null) {
        report(Fault.KEY_TOOK_EFFECT_TWICE, grant);
      }
    }
    for (Replay replay : history.replays) {
      Grant grant = byKey.get(replay.key());
      if (grant == null || grant.token() != replay.token()) {
        report(Fault.REPLAY_DIFFERS, replay + " of " + grant);
      }
    }
  }

  private void audit() {
    Map<String, Long> missing = new HashMap<>();
    history.effects.forEach(effect -> missing.merge(effect, 1L, Long::sum));
    history.audited.forEach(event -> missing.merge(event, -1L, Long::sum));
    missing.values().removeIf(difference -> difference == 0);
    missing.forEach(
        (effect, difference) ->
            report(Fault.AUDIT_DIFFERS, effect + (difference > 0 ? " not audited" : " audited")));
  }

  /** When a lease ended unless somebody took it over: time, release, or somebody's hand. */
  private Instant end(Grant grant) {
    return Stream.concat(
            Stream.of(lapse(grant), cut(grant, Ending::at)), released(grant).map(Act::at))
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private Instant lapse(Grant grant) {
    return Stream.concat(
            Stream.of(grant.until()),
            History.of(Deed.RENEWED, actsOf(grant)).stream().map(Act::until))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  private Instant cut(Grant grant, Function<Ending, Instant> when) {
    return endings.getOrDefault(new LeaseId(grant.memoryId(), grant.token()), List.of()).stream()
        .map(when)
        .min(Comparator.naturalOrder())
        .orElse(Instant.MAX);
  }

  private Instant takeover(Grant grant) {
    return earliest(at(nextOfMemory.get(grant)), at(nextOfName.get(grant)));
  }

  private Stream<Act> released(Grant grant) {
    return History.of(Deed.RELEASED, actsOf(grant)).stream();
  }

  private List<Act> actsOf(Grant grant) {
    return acts.getOrDefault(grant, List.of());
  }

  private static Instant at(Grant next) {
    return next == null ? Instant.MAX : next.at();
  }

  private static Instant answered(Grant next) {
    return next == null ? Instant.MAX : next.answered();
  }

  private static Instant earliest(Instant... moments) {
    return Stream.of(moments).min(Comparator.naturalOrder()).orElseThrow();
  }

  private void report(Fault fault, Object what) {
    found.add(new Violation(fault, String.valueOf(what)));
  }

  /** A few of them, for a message. */
  static String some(Collection<Violation> violations) {
    return violations.stream().limit(5).map(Violation::toString).collect(Collectors.joining("\n"));
  }
}
