package com.memoryendpoints.gateway.tidy;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One text file of the project; the path is relative to the project's root, with slashes. */
public final class Source {
  static final String MAIN = "src/main/java/com/memoryendpoints/gateway/";
  static final String TEST = "src/test/java/com/memoryendpoints/gateway/";
  static final String SQL = "src/main/resources/sql/";

  private final String path;
  private final String text;
  private String code;
  private Unit unit;

  public Source(String path, String text) {
    this.path = path;
    this.text = text;
  }

  /** A sample in src/main; {@code path} starts at the gateway's own package. */
  static Source main(String path, String text) {
    return new Source(MAIN + path, text);
  }

  String path() {
    return path;
  }

  String text() {
    return text;
  }

  String fileName() {
    return Path.of(path).getFileName().toString();
  }

  boolean isJava() {
    return path.endsWith(".java");
  }

  boolean isSql() {
    return path.endsWith(".sql");
  }

  boolean isMain() {
    return isJava() && path.startsWith(MAIN);
  }

  boolean isTest() {
    return isJava() && path.startsWith(TEST);
  }

  boolean isPackageInfo() {
    return fileName().equals("package-info.java");
  }

  /** The path below the gateway's own package: {@code db/Sql.java}. */
  String place() {
    return path.startsWith(MAIN) ? path.substring(MAIN.length()) : path;
  }

  /** The first package below the gateway's own, or nothing for the root. */
  String area() {
    int slash = place().indexOf('/');
    return slash < 0 ? "" : place().substring(0, slash);
  }

  List<String> lines() {
    return text.lines().toList();
  }

  /** The text with comments and literals blanked, line for line. */
  String code() {
    if (code == null) {
      code = JavaText.blanked(text);
    }
    return code;
  }

  Unit unit() {
    if (unit == null) {
      Unit.parse(List.of(this));
    }
    return unit;
  }

  void is(Unit parsed) {
    unit = parsed;
  }

  Offence offence(long line, String what) {
    return new Offence(path, Math.toIntExact(line), what);
  }

  /** An offence for every match in the code; comments and literals do not count. */
  Stream<Offence> inCode(Pattern pattern) {
    return in(code(), pattern);
  }

  /** An offence for every match anywhere. */
  Stream<Offence> inText(Pattern pattern) {
    return in(text, pattern);
  }

  private Stream<Offence> in(String searched, Pattern pattern) {
    return pattern
        .matcher(searched)
        .results()
        .map(match -> offence(lineAt(searched, match.start()), match.group().strip()));
  }

  private static long lineAt(String searched, int offset) {
    return 1 + IntStream.range(0, offset).filter(at -> searched.charAt(at) == '\n').count();
  }

  @Override
  public String toString() {
    return path;
  }
}
