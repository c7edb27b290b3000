package com.memoryendpoints.gateway.tidy;

import com.sun.source.tree.VariableTree;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How long, how wide, how named, how told. */
public final class ShapeRules {
  private static final int FILE_LINES_MAX = 400;
  private static final int METHOD_LINES_MAX = 70;
  private static final int COLUMNS_MAX = 100;
  private static final int TEST_NAME_WORDS_MIN = 3;

  private static final Pattern UNBREAKABLE = Pattern.compile("^(import |package ).*|.*https?://.*");
  private static final Pattern EMPTY_CLASS =
      Pattern.compile(".*(Manager|Service|Helper|Utils?|Impl|Handler|Info|Data|DTO|Dto)");
  private static final Pattern EMPTY_METHOD = Pattern.compile("process|handle|do[A-Z].*");
  private static final Pattern OTHER_WORDS =
      Pattern.compile("(?i).*(heartbeat|steal|dedupe|sweep|agentId|normalizedName).*");
  private static final Pattern WORD = Pattern.compile("(^|[A-Z0-9])[a-z0-9]*");

  private ShapeRules() {}

  /** All of them. */
  public static List<Rule> all() {
    return Stream.concat(sizes(), names()).toList();
  }

  private static Stream<Rule> sizes() {
    return Stream.of(
        Rule.perFile(
            "A file has at most 400 lines.",
            ShapeRules::isCode,
            ShapeRules::longFile,
            Source.main("db/Long.java", "\n".repeat(FILE_LINES_MAX + 1))),
        Rule.perFile(
            "A line has at most 100 columns.",
            ShapeRules::isCode,
            ShapeRules::wideLines,
            new Source("src/main/resources/sql/wide.sql", "-- " + "x".repeat(COLUMNS_MAX))),
        Rule.perFile(
            "A method has at most 70 lines.",
            Source::isJava,
            ShapeRules::longMethods,
            Source.main(
                "db/Long.java", "class Long {\nvoid run() {" + "\n".repeat(70) + "}\n}\n")));
  }

  private static Stream<Rule> names() {
    return Stream.of(
        Rule.perFile(
            "A class is named for what it is, not that it is a class.",
            Source::isJava,
            ShapeRules::emptyClassNames,
            Source.main("db/LeaseManager.java", "class LeaseManager {}\n")),
        Rule.perFile(
            "A method says what it does.",
            Source::isJava,
            ShapeRules::emptyMethodNames,
            Source.main("db/Sample.java", "class Sample {\n  void doClaim() {}\n}\n")),
        Rule.perFile(
            "One word for each thing.",
            Source::isMain,
            ShapeRules::otherWords,
            Source.main("db/Sample.java", "class Sample {\n  int heartbeatSeconds;\n}\n")),
        Rule.perFile(
            "A test is named as a sentence.",
            Source::isTest,
            ShapeRules::terseTests,
            new Source(
                Source.TEST + "SampleTest.java",
                "class SampleTest {\n  @Test void claimWorks() {}\n}\n")),
        Rule.perFile(
            "What is public is told.",
            source -> source.isMain() && !source.isPackageInfo(),
            ShapeRules::untold,
            Source.main(
                "db/Sample.java",
                "/** Told. */\npublic class Sample {\n  public void go() {}\n}\n")),
        new Rule(
            "Every package opens with a chapter of 5 to 20 lines, and is null-marked.",
            ShapeRules::unopenedPackages,
            List.of(Source.main("db/Sample.java", "class Sample {}\n"))));
  }

  private static boolean isCode(Source source) {
    return source.isJava() || source.isSql();
  }

  private static Stream<Offence> longFile(Source source) {
    int count = source.lines().size();
    return Stream.of(source.offence(count, count + " lines"))
        .filter(offence -> count > FILE_LINES_MAX);
  }

  private static Stream<Offence> wideLines(Source source) {
    List<String> lines = source.lines();
    return IntStream.range(0, lines.size())
        .filter(at -> lines.get(at).codePointCount(0, lines.get(at).length()) > COLUMNS_MAX)
        .filter(at -> !UNBREAKABLE.matcher(lines.get(at)).matches())
        .mapToObj(at -> source.offence(at + 1, lines.get(at).length() + " columns"));
  }

  private static Stream<Offence> longMethods(Source source) {
    Unit unit = source.unit();
    return unit.methods()
        .filter(method -> unit.lineCount(method) > METHOD_LINES_MAX)
        .map(
            method ->
                source.offence(
                    unit.line(method),
                    method.getName() + " has " + unit.lineCount(method) + " lines"));
  }

  private static Stream<Offence> emptyClassNames(Source source) {
    return source
        .unit()
        .classes()
        .filter(type -> EMPTY_CLASS.matcher(type.getSimpleName()).matches())
        .map(type -> source.offence(source.unit().line(type), "class " + type.getSimpleName()));
  }

  private static Stream<Offence> emptyMethodNames(Source source) {
    return source
        .unit()
        .methods()
        .filter(method -> !Unit.isOverride(method))
        .filter(method -> EMPTY_METHOD.matcher(method.getName()).matches())
        .map(method -> source.offence(source.unit().line(method), "method " + method.getName()));
  }

  private static Stream<Offence> otherWords(Source source) {
    Unit unit = source.unit();
    Stream<Offence> classes =
        unit.classes().map(t -> source.offence(unit.line(t), t.getSimpleName().toString()));
    Stream<Offence> methods =
        unit.methods().map(m -> source.offence(unit.line(m), m.getName().toString()));
    Stream<Offence> variables = unit.variables().map(v -> source.offence(unit.line(v), nameOf(v)));
    return Stream.of(classes, methods, variables)
        .flatMap(each -> each)
        .filter(offence -> OTHER_WORDS.matcher(offence.what()).matches());
  }

  private static String nameOf(VariableTree variable) {
    return variable.getName().toString();
  }

  private static Stream<Offence> terseTests(Source source) {
    return source
        .unit()
        .methods()
        .filter(
            method ->
                Unit.isAnnotated(method, "Test") || Unit.isAnnotated(method, "ParameterizedTest"))
        .filter(method -> WORD.matcher(method.getName()).results().count() < TEST_NAME_WORDS_MIN)
        .map(method -> source.offence(source.unit().line(method), "test " + method.getName()));
  }

  private static Stream<Offence> untold(Source source) {
    return source
        .unit()
        .published()
        .filter(each -> !each.told())
        .map(each -> source.offence(each.line(), each.name() + " has no javadoc"));
  }

  private static Stream<Offence> unopenedPackages(List<Source> sources) {
    List<Source> main = sources.stream().filter(Source::isMain).toList();
    Stream<Offence> without =
        main.stream()
            .filter(each -> main.stream().noneMatch(other -> opens(other, each)))
            .map(each -> each.offence(1, "its package has no package-info.java"));
    Stream<Offence> badly =
        main.stream()
            .filter(Source::isPackageInfo)
            .filter(each -> !isChapter(each))
            .map(each -> each.offence(1, "not 5 to 20 lines, no javadoc, or not @NullMarked"));
    return Stream.concat(without, badly);
  }

  private static boolean opens(Source info, Source each) {
    return info.isPackageInfo() && folder(info).equals(folder(each));
  }

  private static String folder(Source source) {
    return source.path().substring(0, source.path().length() - source.fileName().length());
  }

  private static boolean isChapter(Source info) {
    int count = info.lines().size();
    return count >= 5
        && count <= 20
        && info.text().startsWith("/**")
        && info.code().contains("@NullMarked");
  }
}
