package com.memoryendpoints.gateway.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.memoryendpoints.gateway.k8s.Manifests.Kustomization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What lies below k8s, file by file: all that can be said of it without kubectl. */
class ManifestFilesTest {
  private static final Path ROOT = Path.of("k8s");
  private static final Pattern VARIABLE = Pattern.compile("\\bGATEWAY_[A-Z0-9_]+");

  /** Files that promtool reads, not Kubernetes. */
  private static final String RULES = "rules";

  static Stream<Path> manifests() throws IOException {
    return files()
        .filter(file -> !file.getParent().endsWith(RULES))
        .filter(ManifestFilesTest::isYaml);
  }

  static Stream<Path> kustomizations() throws IOException {
    return files().filter(file -> file.endsWith("kustomization.yaml"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("manifests")
  void everyFieldIsOneOfItsType(Path file) throws IOException {
    assertThat(Manifests.parse(Files.readString(file)).all()).isNotEmpty();
  }

  @Test
  void whatIsNoFieldOrOfTheWrongTypeIsFound() throws IOException {
    String service = Files.readString(ROOT.resolve("base/service.yaml"));
    String deployment = Files.readString(ROOT.resolve("base/deployment.yaml"));
    String monitor = Files.readString(ROOT.resolve("components/monitoring/servicemonitor.yaml"));
    List<String> wrong =
        List.of(
            service.replace("targetPort:", "targetport:"),
            service.replace("port: 8080", "port: \"8080\""),
            service.replace("type: ClusterIP", "type: ClusterIP\n  type: ClusterIP"),
            service.replace("name: http", "name: 80"),
            deployment.replace("readOnlyRootFilesystem", "readOnlyRootFileSystem"),
            deployment.replace("enableServiceLinks: false", "enableServiceLinks: \"no\""),
            monitor.replace("scrapeTimeout", "timeout"));
    assertThat(wrong).doesNotContain(service, deployment, monitor);
    for (String text : wrong) {
      assertThatThrownBy(() -> Manifests.parse(text)).as(text).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kustomizations")
  void whatAKustomizationNamesIsThere(Path file) throws IOException {
    for (Path named : namedBy(file)) {
      assertThat(named).exists();
    }
  }

  @Test
  void noFileIsLeftThatNothingNames() throws IOException {
    Set<Path> named = new TreeSet<>();
    for (Path file : kustomizations().toList()) {
      named.add(file.normalize());
      named.addAll(namedBy(file));
    }
    assertThat(files().filter(file -> !file.getParent().endsWith(RULES)).map(Path::normalize))
        .allSatisfy(file -> assertThat(named).contains(file));
  }

  /** A patch that names what is not there is an error of kustomize, told where it is rendered. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("kustomizations")
  void whatAPatchIsForIsInTheBase(Path file) throws IOException {
    Set<String> known = new TreeSet<>();
    for (Path base : files().filter(path -> path.startsWith(ROOT.resolve("base"))).toList()) {
      if (isYaml(base) && !base.endsWith("kustomization.yaml")) {
        for (JsonNode one : Manifests.documents(Files.readString(base))) {
          known.add(identity(one));
        }
      }
    }
    for (Kustomization.Patch patch : kustomization(file).patches()) {
      String text =
          patch.path() == null
              ? patch.patch()
              : Files.readString(file.resolveSibling(patch.path()));
      assertThat(Manifests.parse(text).all()).hasSize(1);
      assertThat(known).contains(identity(Manifests.documents(text).get(0)));
    }
  }

  /** An unknown variable stops the gateway. */
  @Test
  void everyVariableIsOneOfTheGateway() throws IOException {
    List<String> known = new ArrayList<>();
    VARIABLE
        .matcher(Files.readString(Path.of("conf/gateway.conf")))
        .results()
        .forEach(found -> known.add(found.group()));
    for (Path file : files().toList()) {
      assertThat(VARIABLE.matcher(Files.readString(file)).results().map(found -> found.group()))
          .as(file.toString())
          .isSubsetOf(known);
    }
  }

  @Test
  void theImageIsOfThisVersion() throws IOException {
    Kustomization base = kustomization(ROOT.resolve("base/kustomization.yaml"));
    assertThat(base.images()).hasSize(1);
    assertThat(Files.readString(Path.of("pom.xml")))
        .contains(
            "<version>" + base.images().get(0).newTag() + "</version>\n  <name>lease-gateway");
  }

  @Test
  void noSecretIsInAnyFile() throws IOException {
    for (Path file : files().toList()) {
      assertThat(Files.readString(file))
          .as(file.toString())
          .doesNotContain("kind: Secret\n", "secretGenerator")
          .doesNotContainPattern("postgres(ql)?://[^u]");
    }
  }

  private static Kustomization kustomization(Path file) throws IOException {
    return Manifests.parse(Files.readString(file)).the(Kustomization.class);
  }

  private static Set<Path> namedBy(Path file) throws IOException {
    Kustomization kustomization = kustomization(file);
    List<String> names = new ArrayList<>(kustomization.resources());
    names.addAll(kustomization.components());
    kustomization.configMapGenerator().forEach(generator -> names.addAll(generator.envs()));
    kustomization.configMapGenerator().stream()
        .flatMap(generator -> generator.files().stream())
        .forEach(name -> names.add(name.substring(name.indexOf('=') + 1)));
    kustomization.patches().stream()
        .filter(patch -> patch.path() != null)
        .forEach(patch -> names.add(patch.path()));
    Set<Path> named = new TreeSet<>();
    for (String name : names) {
      Path path = file.resolveSibling(name).normalize();
      named.add(Files.isDirectory(path) ? path.resolve("kustomization.yaml") : path);
    }
    return named;
  }

  private static String identity(JsonNode manifest) {
    return manifest.get("kind").textValue() + " " + manifest.at("/metadata/name").textValue();
  }

  private static boolean isYaml(Path file) {
    return file.toString().endsWith(".yaml");
  }

  private static Stream<Path> files() throws IOException {
    try (Stream<Path> found = Files.walk(ROOT)) {
      return found.filter(Files::isRegularFile).sorted().toList().stream();
    }
  }
}
