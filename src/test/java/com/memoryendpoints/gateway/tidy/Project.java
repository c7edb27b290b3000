package com.memoryendpoints.gateway.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's own text files, as they lie in the work tree. */
public final class Project {
  private static final List<String> PARTS =
      List.of("src", "conf", "k8s", "loadtest", ".ci", ".github", "pom.xml", "README.md");
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules");
  private static final Pattern TEXT =
      Pattern.compile(
          ".*\\.(java|sql|xml|md|ya?ml|json|conf|properties|tsv|html|css|js|sh|lua)|\\.ci/run");

  private Project() {}

  /** Every text file, in order of path, those in Java parsed. */
  public static List<Source> sources() {
    Path root = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    List<Source> sources = read(root);
    Unit.parse(sources.stream().filter(Source::isJava).toList());
    return sources;
  }

  private static List<Source> read(Path root) {
    return PARTS.stream()
        .map(root::resolve)
        .filter(Files::exists)
        .flatMap(Project::walk)
        .filter(file -> TEXT.matcher(relative(root, file)).matches())
        .map(file -> new Source(relative(root, file), text(file)))
        .toList();
  }

  private static Stream<Path> walk(Path part) {
    try (Stream<Path> files = Files.walk(part)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> Stream.of(file.toString().split("/")).noneMatch(NOT_OURS::contains))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String relative(Path root, Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
