#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// Swift sees no macros with arguments, no stacks, and no fields of what OpenSSL keeps to itself.

#define COPENSSL_MOST_FAULTS 16

// What is wrong with the certificates that the other end shows: OpenSSL's number (X509_V_ERR_…), how far up the chain,
// and between which times, in seconds since 1970, the certificate is valid.
typedef struct {
  int code;
  int depth;
  long long from;
  long long until;
} copenssl_fault;

typedef struct {
  int count;
  copenssl_fault faults[COPENSSL_MOST_FAULTS];
} copenssl_faults;

static inline long long copenssl_seconds(const ASN1_TIME *time) {
  struct tm parts;
  return time && ASN1_TIME_to_tm(time, &parts) == 1 ? (long long)timegm(&parts) : 0;
}

// Notes every fault and goes on: the handshake is ours, nothing is sent in it.
static inline int copenssl_note(int is_fine, X509_STORE_CTX *context) {
  SSL *ssl = (SSL *)X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx());
  copenssl_faults *noted = ssl ? (copenssl_faults *)SSL_get_app_data(ssl) : NULL;
  if (!is_fine && noted && noted->count < COPENSSL_MOST_FAULTS) {
    X509 *certificate = X509_STORE_CTX_get_current_cert(context);
    copenssl_fault *fault = &noted->faults[noted->count++];
    fault->code = X509_STORE_CTX_get_error(context);
    fault->depth = X509_STORE_CTX_get_error_depth(context);
    fault->from = certificate ? copenssl_seconds(X509_get0_notBefore(certificate)) : 0;
    fault->until = certificate ? copenssl_seconds(X509_get0_notAfter(certificate)) : 0;
  }
  return 1;
}

// Has faults noted in `noted`, which must outlive the handshake, and the name of the host checked; `is_address` is 1 for
// a numeric address, which is never sent as a name.
static inline int copenssl_expect(SSL *ssl, const char *host, int is_address, copenssl_faults *noted) {
  noted->count = 0;
  SSL_set_app_data(ssl, noted);
  SSL_set_verify(ssl, SSL_VERIFY_PEER, copenssl_note);
  if (is_address) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host);
  return SSL_set_tlsext_host_name(ssl, host) == 1 && SSL_set1_host(ssl, host) == 1;
}

static inline copenssl_fault copenssl_fault_at(const copenssl_faults *noted, int index) {
  return noted->faults[index];
}

// When the certificate that the other end showed expires, in seconds since 1970; 0 where it showed none.
// `connection` is an `SSL *`.
static inline long long copenssl_peer_expiry(void *connection) {
  X509 *certificate = connection ? SSL_get1_peer_certificate((SSL *)connection) : NULL;
  long long seconds = certificate ? copenssl_seconds(X509_get0_notAfter(certificate)) : 0;
  X509_free(certificate);
  return seconds;
}

// Who signed it, by its common name or else its organisation; an empty text where nobody says.
static inline void copenssl_peer_issuer(SSL *ssl, char *text, int size) {
  X509 *certificate = SSL_get1_peer_certificate(ssl);
  text[0] = 0;
  if (!certificate) return;
  X509_NAME *issuer = X509_get_issuer_name(certificate);
  if (X509_NAME_get_text_by_NID(issuer, NID_commonName, text, size) < 0 &&
      X509_NAME_get_text_by_NID(issuer, NID_organizationName, text, size) < 0) {
    text[0] = 0;
  }
  X509_free(certificate);
}

// The names that it is for, one a line, as far as they fit.
static inline void copenssl_peer_names(SSL *ssl, char *text, size_t size) {
  X509 *certificate = SSL_get1_peer_certificate(ssl);
  text[0] = 0;
  if (!certificate) return;
  GENERAL_NAMES *names = (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
  for (int index = 0; index < sk_GENERAL_NAME_num(names); index++) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    char line[256] = "";
    if (name->type == GEN_DNS) {
      snprintf(line, sizeof line, "%.*s\n", ASN1_STRING_length(name->d.dNSName), ASN1_STRING_get0_data(name->d.dNSName));
    } else if (name->type == GEN_IPADD && ASN1_STRING_length(name->d.iPAddress) == 4) {
      const unsigned char *bytes = ASN1_STRING_get0_data(name->d.iPAddress);
      snprintf(line, sizeof line, "%d.%d.%d.%d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    }
    if (strlen(text) + strlen(line) < size) strcat(text, line);
  }
  if (!text[0]) {
    char common[200] = "";
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, common, sizeof common);
    if (common[0]) snprintf(text, size, "%s\n", common);
  }
  GENERAL_NAMES_free(names);
  X509_free(certificate);
}

// The reason of the last error of libssl, such as SSL_R_WRONG_VERSION_NUMBER; from 1000 on an alert of the other end.
// 0 where there is none. Forgets all errors.
static inline int copenssl_take_reason(void) {
  unsigned long code = ERR_peek_error();
  ERR_clear_error();
  return ERR_GET_LIB(code) == ERR_LIB_SSL ? ERR_GET_REASON(code) : 0;
}

// Whether OpenSSL takes these files as a certificate and its key: 1 or 0.
static inline int copenssl_is_pair(const char *certificate, const char *key) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  int is_pair = context && SSL_CTX_use_certificate_chain_file(context, certificate) == 1 &&
                SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 && SSL_CTX_check_private_key(context) == 1;
  SSL_CTX_free(context);
  ERR_clear_error();
  return is_pair;
}
