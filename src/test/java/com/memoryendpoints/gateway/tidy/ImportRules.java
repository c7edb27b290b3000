package com.memoryendpoints.gateway.tidy;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Which way packages depend, and who may see which library. */
public final class ImportRules {
  /** A package imports only from a line above its own; those of one line do not know each other. */
  /** What the row mappings of several statements share. */
  private static final Set<String> SHARED_ROW_MAPPING = Set.of("lease/Rows.java", "pool/Rows.java");

  private static final List<Set<String>> ORDER =
      List.of(
          Set.of("problem"),
          Set.of("tenant"),
          Set.of("config"),
          Set.of("meter"),
          Set.of("name"),
          Set.of("db"),
          Set.of("idempotency", "audit", "quota"),
          Set.of("lease", "pool", "legacy"),
          Set.of("auth"),
          Set.of("reaper", "http"),
          Set.of("cli"),
          Set.of(""));

  private static final Pattern OWN =
      Pattern.compile("\\bcom\\.memoryendpoints\\.gateway\\.(?:([a-z]\\w*)\\.|[A-Z]\\w*)");
  private static final Set<String> STATEMENT_AREAS =
      Set.of("lease", "pool", "audit", "quota", "reaper", "auth");
  private static final Pattern NAMES_A_STATEMENT = Pattern.compile("\\b(BatchStatement\\b|Sql\\.)");

  private ImportRules() {}

  /** All of them. */
  public static List<Rule> all() {
    return List.of(
        Rule.perFile(
            "A package imports only from its left.",
            Source::isMain,
            ImportRules::wrongWay,
            Source.main(
                "lease/Leases.java",
                "package com.memoryendpoints.gateway.lease;\n"
                    + "import com.memoryendpoints.gateway.http.Api;\n")),
        only(
            "Only http speaks vertx-web.",
            "io\\.vertx\\.ext\\.web\\b",
            source -> source.area().equals("http")),
        only(
            "Only db, and the row mapping beside a statement, speaks to the SQL client.",
            "io\\.vertx\\.(?:sqlclient|pgclient)\\b",
            ImportRules::mapsRows),
        only(
            "Only db, and legacy and auth for their subcommands, speak JDBC.",
            "javax?\\.sql\\b",
            source -> Set.of("db", "legacy", "auth").contains(source.area())),
        only(
            "Only name knows ICU4J.", "com\\.ibm\\.icu\\b", source -> source.area().equals("name")),
        only(
            "Only config reads configuration.",
            "com\\.typesafe\\.config\\b",
            source -> source.area().equals("config")),
        only(
            "Only cli and Main read the command line.",
            "picocli\\b",
            source -> Set.of("cli", "").contains(source.area())));
  }

  private static Rule only(String law, String library, Predicate<Source> allowed) {
    String sample = library.replaceAll("\\\\b|\\(\\?:|\\|.*\\)|\\?", "").replace("\\.", ".");
    return Rule.perFile(
        law,
        source -> source.isMain() && !allowed.test(source),
        source -> source.inCode(Pattern.compile("\\b" + library + "[.\\w]*")),
        Source.main("problem/Problem.java", "import " + sample + ".Anything;\n"));
  }

  private static boolean mapsRows(Source source) {
    return source.area().equals("db")
        || (STATEMENT_AREAS.contains(source.area())
            && (NAMES_A_STATEMENT.matcher(source.code()).find()
                || SHARED_ROW_MAPPING.contains(source.place())));
  }

  private static Stream<Offence> wrongWay(Source source) {
    int own = rank(source.area());
    if (own < 0) {
      return Stream.of(source.offence(1, "a package without a place in the order"));
    }
    return OWN.matcher(source.code())
        .results()
        .filter(match -> !source.area().equals(areaOf(match.group(1))))
        .filter(match -> !isLeft(rank(areaOf(match.group(1))), own))
        .flatMap(match -> source.inCode(Pattern.compile(Pattern.quote(match.group()) + "\\w*")));
  }

  private static boolean isLeft(int theirs, int own) {
    return theirs >= 0 && theirs < own;
  }

  private static String areaOf(String found) {
    return found == null ? "" : found;
  }

  private static int rank(String area) {
    return IntStream.range(0, ORDER.size())
        .filter(at -> ORDER.get(at).contains(area))
        .findFirst()
        .orElse(-1);
  }
}
