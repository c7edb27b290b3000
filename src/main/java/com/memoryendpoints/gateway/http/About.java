package com.memoryendpoints.gateway.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What this gateway is and where its description is found. */
final class About {
  static final Version VERSION = new Version("lease-gateway", version());

  static final Index INDEX = new Index(VERSION.name(), VERSION.version(), "/openapi.json");

  private About() {}

  record Version(String name, String version) {}

  record Index(String name, String version, String description) {}

  private static String version() {
    try (InputStream file = About.class.getResourceAsStream("/version.properties")) {
      Properties properties = new Properties();
      properties.load(file);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
