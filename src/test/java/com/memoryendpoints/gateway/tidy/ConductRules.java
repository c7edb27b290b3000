package com.memoryendpoints.gateway.tidy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What code does not do here: read the wall clock, write SQL in Java, sleep, leave work behind. */
public final class ConductRules {
  /** Where a rule does not hold, and why; the key is the path below the gateway's package. */
  private static final Map<String, String> WALL_CLOCK_EXCEPTIONS =
      Map.of(
          "db/UuidV7.java", "gives the generator the database's clock under the name it asks for");

  private static final Set<String> PROMISE_EXCEPTIONS =
      Set.of("db/Database.java", "db/Waiting.java", "auth/JwksVerticle.java", "quota/Quotas.java");

  private static final Pattern WALL_CLOCK =
      Pattern.compile(
          "\\b(?:Instant|LocalDate|LocalTime|LocalDateTime|OffsetDateTime|ZonedDateTime|Year)"
              + "\\.now\\b|\\bcurrentTimeMillis\\b|\\bClock\\.(?:system|tick)\\w*"
              + "|\\bnew\\s+Date\\b|\\bCalendar\\.getInstance\\b");
  private static final Pattern SLEEP =
      Pattern.compile("\\bThread\\.sleep\\b|\\bparkNanos\\b|\\b[A-Z]+\\.sleep\\(|\\bonSpinWait\\b");
  private static final Pattern NOT_FLAT = Pattern.compile("\\bCompletableFuture\\b");
  private static final Pattern PROMISE = Pattern.compile("\\bio\\.vertx\\.core\\.Promise\\b");
  private static final Pattern SAYS =
      Pattern.compile("\\bSystem\\.(?:out|err)\\b|\\bprintStackTrace\\b");
  private static final Pattern SQL_TEXT =
      Pattern.compile(
          "(?is)\\bselect\\s.*\\bfrom\\b|^\\s*select\\s+[\\w']+\\s*(\\(.*)?$"
              + "|\\binsert\\s+into\\b|\\bupdate\\s+\\S+(\\s+\\w+)?\\s+set\\b|\\bdelete\\s+from\\b"
              + "|\\bmerge\\s+into\\b|^\\s*with\\s+\\w+\\s+as\\b|^\\s*values\\s*\\("
              + "|\\b(create|alter|drop|truncate)\\s+(unlogged\\s+)?(table|index|schema|role"
              + "|database|type|function|sequence|view|extension)\\b"
              + "|^\\s*(begin|commit|rollback|vacuum|analyze|checkpoint)\\s*;?\\s*$"
              + "|^\\s*(lock\\s+table|set\\s+(local|session)|show)\\s+\\w+\\s*");
  private static final Pattern LEFT_BEHIND =
      Pattern.compile("\\b(?:TO" + "DO|FIX" + "ME|XX" + "X)\\b|@Dis" + "abled\\b");
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w/.~-])/(?:wo" + "rk|ro" + "ot|Us" + "ers)/\\w[\\w./-]*|\\.m" + "2/");

  private ConductRules() {}

  /** All of them. */
  public static List<Rule> all() {
    return Stream.concat(java(), everywhere()).toList();
  }

  private static Stream<Rule> java() {
    return Stream.of(
        Rule.perFile(
            "The database owns time: no wall clock in Java.",
            source -> source.isMain() && !WALL_CLOCK_EXCEPTIONS.containsKey(source.place()),
            source -> source.inCode(WALL_CLOCK),
            sample("Instant now() { return Instant.now(); }")),
        Rule.perFile(
            "Nobody sleeps, tests least of all.",
            Source::isJava,
            source -> source.inCode(SLEEP),
            sample("void rest() throws Exception { Thread.sleep(10); }")),
        Rule.perFile(
            "Futures are flat: no CompletableFuture.",
            Source::isMain,
            source -> source.inCode(NOT_FLAT),
            sample("java.util.concurrent.CompletableFuture<String> reply;")),
        Rule.perFile(
            "A promise is made only where requests wait.",
            source -> source.isMain() && !PROMISE_EXCEPTIONS.contains(source.place()),
            source -> source.inCode(PROMISE),
            sample("io.vertx.core.Promise<String> reply;")),
        Rule.perFile(
            "Only Main and cli speak on standard output.",
            source -> source.isMain() && !Set.of("cli", "").contains(source.area()),
            source -> source.inCode(SAYS),
            sample("void say() { System.out.println(1); }")),
        Rule.perFile(
            "SQL is a file with a name; Java knows only the name.",
            Source::isMain,
            ConductRules::inlineSql,
            sample("String all = \"select memory_id from memories\";"),
            sample("String all = \"\"\"\n  UPDATE leases l\n     SET ttl = 1\"\"\";")));
  }

  private static Stream<Rule> everywhere() {
    return Stream.of(
        Rule.perFile(
            "Nothing is left behind for later.",
            source -> true,
            source -> source.inText(LEFT_BEHIND),
            new Source("conf/gateway.conf", "# TO" + "DO: later\n")),
        Rule.perFile(
            "No file knows the machine that it was written on.",
            source -> true,
            source -> source.inText(MACHINE_PATH),
            new Source("README.md", "see /Us" + "ers/somebody/notes\n")));
  }

  private static Source sample(String member) {
    return Source.main("db/Sample.java", "class Sample {\n  " + member + "\n}\n");
  }

  private static Stream<Offence> inlineSql(Source source) {
    return source
        .unit()
        .strings()
        .filter(literal -> SQL_TEXT.matcher(literal.getValue().toString()).find())
        .map(literal -> source.offence(source.unit().line(literal), "inline SQL: " + literal));
  }
}
