package com.memoryendpoints.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The packaged jar is whole: what its parts registered is still there, and nothing is signed. */
class JarIT {
  private static final String FLYWAY = "META-INF/services/org.flywaydb.core.extensibility.Plugin";

  @Test
  void theManifestSaysWhatTheJarIs() throws IOException {
    try (JarFile jar = open()) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertThat(manifest.getValue(Attributes.Name.MAIN_CLASS)).isEqualTo(Main.class.getName());
      assertThat(manifest.getValue(Attributes.Name.MULTI_RELEASE)).isEqualTo("true");
      assertThat(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION)).matches("\\d+\\..+");
    }
  }

  /** What Maven writes in place is another file: a gateway may be running from this one. */
  @Test
  void theJarThatRunsIsRenamedIntoItsPlace() {
    Path jar = Path.of(System.getProperty("gateway.jar"));
    assertThat(jar.resolveSibling("lease-gateway-thin.jar")).isRegularFile();
  }

  /** Two libraries register Flyway plugins under one name: shading must keep both lists. */
  @Test
  void noRegistrationIsLostToAnother() throws IOException {
    try (JarFile jar = open()) {
      String plugins =
          new String(
              jar.getInputStream(jar.getEntry(FLYWAY)).readAllBytes(), StandardCharsets.UTF_8);
      assertThat(plugins).contains("PostgreSQLDatabaseType").contains("CoreResourceTypeProvider");
    }
  }

  /** A signature of one part does not fit the whole: the jar would not start. */
  @Test
  void noSignatureIsLeftBehind() throws IOException {
    try (JarFile jar = open()) {
      assertThat(jar.stream().map(ZipEntry::getName))
          .noneMatch(name -> name.matches("META-INF/[^/]+\\.(SF|RSA|DSA|EC)"));
    }
  }

  /** The rest of Swagger UI would be three times as much. */
  @Test
  void ofTheSwaggerUiOnlyWhatIsServedIsThere() throws IOException {
    try (JarFile jar = open()) {
      assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName))
          .filteredOn(name -> name.contains("/webjars/"))
          .extracting(name -> name.substring(name.lastIndexOf('/') + 1))
          .containsExactlyInAnyOrder(
              "favicon-32x32.png",
              "swagger-ui.css",
              "swagger-ui-bundle.js",
              "swagger-ui-bundle.js.LICENSE.txt");
    }
  }

  private static JarFile open() throws IOException {
    return new JarFile(System.getProperty("gateway.jar"));
  }
}
