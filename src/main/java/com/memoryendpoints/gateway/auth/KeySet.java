package com.memoryendpoints.gateway.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.memoryendpoints.gateway.config.JwtAlgorithm;
import com.memoryendpoints.gateway.config.Limits;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import java.io.IOException;
import java.text.ParseException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of an identity provider (RFC 7517), each bound to the algorithms that it is for:
 * a key is found by its id and the algorithm together, so that none is ever used for another.
 * Immutable, and safe from every thread.
 *
 * <p>A key without an id, of another type, for another use or too short is passed over, as the RFC
 * asks.
 */
final class KeySet {
  private final Map<String, Map<JwtAlgorithm, JWSVerifier>> byId;

  private KeySet(Map<String, Map<JwtAlgorithm, JWSVerifier>> byId) {
    this.byId = byId;
  }

  /**
   * Reads a JSON Web Key Set.
   *
   * @param text UTF-8, at most {@link Limits#JWKS_BYTES_MAX}
   * @param algorithms those that are good
   * @throws IOException when it is none; its message repeats nothing of it
   */
  static KeySet parse(byte[] text, Set<JwtAlgorithm> algorithms) throws IOException {
    if (text.length > Limits.JWKS_BYTES_MAX) {
      throw new IOException("it has more than " + Limits.JWKS_BYTES_MAX + " bytes");
    }
    JsonNode keys = JwtJson.object(text).path("keys");
    if (!keys.isArray()) {
      throw new IOException("it has no array keys");
    }
    Map<String, Map<JwtAlgorithm, JWSVerifier>> byId = new HashMap<>();
    for (JsonNode key : keys) {
      add(byId, key, algorithms);
    }
    return new KeySet(byId);
  }

  private static void add(
      Map<String, Map<JwtAlgorithm, JWSVerifier>> byId,
      JsonNode text,
      Set<JwtAlgorithm> algorithms) {
    JWK key = key(text);
    if (key == null || key.getKeyID() == null) {
      return;
    }
    for (JwtAlgorithm algorithm : algorithms) {
      JWSVerifier verifier = isFor(key, algorithm) ? verifier(key) : null;
      if (verifier != null) {
        byId.computeIfAbsent(key.getKeyID(), id -> new EnumMap<>(JwtAlgorithm.class))
            .putIfAbsent(algorithm, verifier);
      }
    }
  }

  private static @Nullable JWK key(JsonNode text) {
    try {
      return JWK.parse(text.toString()).toPublicJWK();
    } catch (ParseException | IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isFor(JWK key, JwtAlgorithm algorithm) {
    JWSAlgorithm name = JWSAlgorithm.parse(algorithm.name());
    JWKMatcher.Builder wanted =
        new JWKMatcher.Builder()
            .keyType(KeyType.forAlgorithm(name))
            .keyUses(KeyUse.SIGNATURE, null)
            .algorithms(name, null);
    JWKMatcher matcher =
        algorithm == JwtAlgorithm.ES256
            ? wanted.curve(Curve.P_256).build()
            : wanted.minKeySize(Limits.JWKS_RSA_BITS_MIN).build();
    return matcher.matches(key)
        && (key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY));
  }

  private static @Nullable JWSVerifier verifier(JWK key) {
    try {
      return key.getKeyType().equals(KeyType.EC)
          ? new ECDSAVerifier(key.toECKey())
          : new RSASSAVerifier(key.toRSAKey());
    } catch (JOSEException e) {
      return null;
    }
  }

  /** Whether there is a key of this id, for whatever algorithm. */
  boolean has(String id) {
    return byId.containsKey(id);
  }

  /** What checks signatures by the key of this id, or null when it is for another algorithm. */
  @Nullable JWSVerifier verifier(String id, JwtAlgorithm algorithm) {
    return byId.getOrDefault(id, Map.of()).get(algorithm);
  }

  /** How many ids there are. */
  int size() {
    return byId.size();
  }
}
