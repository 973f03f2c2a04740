/** Address verification: what the merchant sent of the billing address, against the address on file. */

/** An account's address as its issuer knows it. */
export type BillingAddress = { readonly street1: string; readonly postcode: string };

/** The address on file of every account that says nothing else. */
export const testAddress: BillingAddress = { street1: '1 Test Street', postcode: '12345' };

/**
 * One letter for the host API's result.avsResponse (spec 2.35): F both match, A the address only, Z the postcode only,
 * N neither, U there is no address to compare with. Undefined when neither billing.street1 nor billing.postcode is
 * among the parameters; one that was not sent does not match. Case and spaces make no difference.
 */
export const avsResponseOf = (
  parameters: Readonly<Record<string, string>>,
  onFile: BillingAddress | undefined,
): string | undefined => {
  const street = parameters['billing.street1'] ?? '';
  const postcode = parameters['billing.postcode'] ?? '';
  if (street === '' && postcode === '') return undefined;
  if (onFile === undefined) return 'U';
  const streetMatches = plain(street) === plain(onFile.street1);
  const postcodeMatches = plain(postcode) === plain(onFile.postcode);
  if (streetMatches) return postcodeMatches ? 'F' : 'A';
  return postcodeMatches ? 'Z' : 'N';
};

const plain = (text: string): string => text.replace(/\s+/g, '').toUpperCase();
