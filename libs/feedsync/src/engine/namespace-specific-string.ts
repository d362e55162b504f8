const outsideTheSyntax = /[^A-Za-z0-9()+,\-.:=@;$_!*'%]/;
const percentWithoutHex = /%(?![0-9A-Fa-f]{2})/;

/**
 * Whether a text has the syntax of a Namespace Specific String (RFC 2141, section 2.2), which item
 * identifiers (2.4) and endpoint identifiers (2.1.1) must have: one or more ASCII letters, digits,
 * `()+,-.:=@;$_!*'` and `%` with two hexadecimal digits.
 */
export function isNamespaceSpecificString(text: string): boolean {
  return text !== '' && !outsideTheSyntax.test(text) && !percentWithoutHex.test(text);
}
