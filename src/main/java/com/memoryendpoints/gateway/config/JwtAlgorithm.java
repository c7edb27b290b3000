package com.memoryendpoints.gateway.config;

/**
 * The signatures of a JWT that can be good (RFC 7518): by a private key, of which the gateway has
 * the public one. None by a secret, which would let whoever checks also sign.
 */
public enum JwtAlgorithm {
  RS256,
  PS256,
  ES256
}
