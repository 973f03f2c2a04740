/** HTTP statuses of answers (spec 7), for the documentation. */

export type StatusRow = readonly [status: string, says: string];

export const statuses: readonly StatusRow[] = [
  ['200', 'Done, or pending: result.code tells which.'],
  ['400', 'A parameter is wrong (result.parameterErrors names it), or the payment failed or was declined.'],
  ['401', 'There is no valid Authorization header.'],
  ['403', 'The access token is not valid for this entity.'],
  ['404', 'There is nothing with this id.'],
  ['429', 'Too many requests: try again after the seconds in Retry-After.'],
  ['500', 'An internal error. The result of a payment is unknown: query it.'],
];
