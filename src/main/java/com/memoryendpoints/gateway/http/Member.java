package com.memoryendpoints.gateway.http;

/**
 * One member of a request's object, or one parameter of its query.
 *
 * @param name as on the wire
 * @param required whether a request without it is refused
 */
record Member<T>(String name, Form<T> form, boolean required) {
  /** A member that must be there. */
  static <T> Member<T> required(String name, Form<T> form) {
    return new Member<>(name, form, true);
  }

  /** A member that may be left out; null is not leaving it out. */
  static <T> Member<T> optional(String name, Form<T> form) {
    return new Member<>(name, form, false);
  }
}
