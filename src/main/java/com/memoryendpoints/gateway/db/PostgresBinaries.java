package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.CannotStart;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The embedded server's programs, unpacked once from the jar into a directory of the user's own
 * (not a shared temporary one, where others could put theirs).
 *
 * @param directory where {@code bin}, {@code lib} and {@code share} are
 */
record PostgresBinaries(Path directory) {

  /** The major version in the jar; only data of the same major can be opened. */
  static final String MAJOR = "18";

  /**
   * Where this machine's archive of the programs is.
   *
   * @throws CannotStart when there is none, as in an image, where a database has to be given
   */
  static URL archive() {
    String name = "postgres-" + system() + "-" + architecture() + ".txz";
    URL url = PostgresBinaries.class.getClassLoader().getResource(name);
    if (url == null) {
      throw CannotStart.misconfigured(
          "database.uri is not set, and this build has no embedded PostgreSQL for this machine ("
              + name
              + "). Set database.uri to a PostgreSQL server of your own.");
    }
    return url;
  }

  /**
   * Finds the programs below a directory, or unpacks them there, which takes some seconds. A name
   * made from the archive's checksum keeps versions apart; renaming a finished directory into place
   * keeps processes apart that unpack at once.
   */
  static PostgresBinaries in(Path parent) {
    URL url = archive();
    try {
      URLConnection connection = url.openConnection();
      Path directory = parent.resolve("postgresql-" + MAJOR + "-" + identity(connection));
      if (!Files.isDirectory(directory)) {
        unpack(connection, directory);
      }
      return new PostgresBinaries(directory);
    } catch (IOException e) {
      throw CannotStart.misconfigured(
          "The embedded PostgreSQL cannot be unpacked into " + parent + ": " + e + ".", e);
    }
  }

  /** The path of a program. */
  String program(String name) {
    return directory.resolve("bin").resolve(name).toString();
  }

  private static String system() {
    String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    return name.startsWith("mac") ? "darwin" : name;
  }

  private static String architecture() {
    String name = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    return switch (name) {
      case "amd64", "x86_64" -> "x86_64";
      case "aarch64", "arm64" -> "arm_64";
      default -> name;
    };
  }

  private static String identity(URLConnection connection) throws IOException {
    return connection instanceof JarURLConnection jar
        ? Long.toHexString(jar.getJarEntry().getCrc())
        : Long.toHexString(connection.getContentLengthLong());
  }

  private static void unpack(URLConnection archive, Path directory) throws IOException {
    Files.createDirectories(directory.getParent());
    Path draft = Files.createTempDirectory(directory.getParent(), "unpacking-");
    try (InputStream raw = archive.getInputStream();
        XZInputStream plain = new XZInputStream(new BufferedInputStream(raw));
        TarArchiveInputStream entries = new TarArchiveInputStream(plain)) {
      for (TarArchiveEntry entry = entries.getNextEntry();
          entry != null;
          entry = entries.getNextEntry()) {
        unpack(entry, entries, draft);
      }
      Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(draft, directory, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      delete(draft);
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  private static void unpack(TarArchiveEntry entry, InputStream content, Path root)
      throws IOException {
    Path target = root.resolve(entry.getName()).normalize();
    if (!target.startsWith(root)) {
      throw new IOException("the archive leaves its directory: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(content, target);
    boolean program = target.startsWith(root.resolve("bin"));
    Files.setPosixFilePermissions(
        target, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
  }

  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> found = Files.walk(directory)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
