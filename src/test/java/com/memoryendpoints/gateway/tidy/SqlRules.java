package com.memoryendpoints.gateway.tidy;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every statement is one file with a name, an opening comment and a constant. */
public final class SqlRules {
  private static final String ENUM = "db/Sql.java";
  private static final Pattern OPENS = Pattern.compile("^(--|/\\*)\\s*\\S");

  private SqlRules() {}

  /** All of them. */
  public static List<Rule> all() {
    Source constants =
        Source.main(ENUM, "public enum Sql {\n  CLAIM_LEASES,\n  RENEW_LEASES;\n}\n");
    return List.of(
        new Rule(
            "Every statement file has its constant.",
            SqlRules::filesWithoutConstant,
            List.of(constants, new Source(Source.SQL + "release_leases.sql", "-- Releases.\n"))),
        new Rule(
            "Every constant has its statement file.",
            SqlRules::constantsWithoutFile,
            List.of(constants, new Source(Source.SQL + "claim_leases.sql", "-- Claims.\n"))),
        Rule.perFile(
            "Every SQL file opens with what it is for.",
            source -> source.isSql() && source.path().startsWith("src/main/"),
            source ->
                Stream.of(source.offence(1, "opens without a comment"))
                    .filter(offence -> !OPENS.matcher(source.text()).find()),
            new Source(Source.SQL + "claim_leases.sql", "SELECT 1\n")));
  }

  private static Stream<Offence> filesWithoutConstant(List<Source> sources) {
    Set<String> constants = names(sources).collect(Collectors.toSet());
    return files(sources)
        .filter(file -> !constants.isEmpty() && !constants.contains(nameOf(file)))
        .map(file -> file.offence(1, "no constant " + nameOf(file) + " in " + ENUM));
  }

  private static Stream<Offence> constantsWithoutFile(List<Source> sources) {
    Set<String> files =
        files(sources)
            .filter(file -> file.path().equals(Source.SQL + file.fileName()))
            .map(SqlRules::nameOf)
            .collect(Collectors.toSet());
    return sources.stream()
        .filter(source -> source.isMain() && source.place().equals(ENUM))
        .flatMap(
            source ->
                source.unit().constants().stream()
                    .filter(constant -> !files.contains(constant))
                    .map(constant -> source.offence(1, "no file for " + constant)));
  }

  private static Stream<String> names(List<Source> sources) {
    return sources.stream()
        .filter(source -> source.isMain() && source.place().equals(ENUM))
        .flatMap(source -> source.unit().constants().stream());
  }

  private static Stream<Source> files(List<Source> sources) {
    return sources.stream()
        .filter(source -> source.isSql() && source.path().startsWith(Source.SQL));
  }

  private static String nameOf(Source file) {
    String name = file.fileName();
    return name.substring(0, name.length() - ".sql".length()).toUpperCase(Locale.ROOT);
  }
}
