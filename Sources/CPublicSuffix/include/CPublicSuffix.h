/* The public suffix list, asked of the libpsl that Debian's libcurl brings along; opened when it is first asked. */
#ifndef WEBLOADER_CPUBLICSUFFIX_H
#define WEBLOADER_CPUBLICSUFFIX_H

/* Whether anybody may have a name under a domain, as under "co.uk", by the public suffix list.
 *
 * -1 where libpsl or its list is not there. */
int webl_is_public_suffix(const char *domain);

#endif
