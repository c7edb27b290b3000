/**
 * Loads on a running gateway, and what must hold under each. Every parameter is a system property
 * with a default; what a simulation may choose freely, it chooses by a seed, which it prints.
 */
package com.memoryendpoints.loadtest;
