/** How the local API says no, for its document: one shape for every refusal and failure. */

export const problemSchema = {
  type: 'object',
  required: ['code', 'says', 'money', 'next', 'remedy'],
  properties: {
    code: { type: 'string', description: 'By this a program decides; the words may change.' },
    says: { type: 'string', description: 'What happened.' },
    money: { type: 'string', description: 'What it means for the money.' },
    next: { type: 'string', description: 'What to do now.' },
    remedy: { enum: ['retry', 'inquire', 'queue', 'halt', 'refuse'] },
    facts: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
    fields: {
      type: 'array',
      description: 'Of a malformed request: each wrong field.',
      items: {
        type: 'object',
        required: ['name', 'says'],
        properties: { name: { type: 'string' }, says: { type: 'string' } },
      },
    },
    sales: {
      type: 'array',
      description:
        'Of `sale.likely`: the sales that may have been charged. A yes names the receipt of each in `again`.',
      items: { $ref: '#/components/schemas/SaleRow' },
    },
  },
} as const;

const problem = {
  type: 'object',
  required: ['problem'],
  properties: { problem: { $ref: '#/components/schemas/Problem' } },
} as const;

const answer = (description: string) => ({ description, content: { 'application/json': { schema: problem } } });

const file = { type: 'string', format: 'binary' } as const;
const form = (type: string) => ({ [type]: { schema: type.startsWith('text/') ? { type: 'string' } : file } });

/** Files, by operation: what no type of a route can say. */
export const fileAnswers: Readonly<Record<string, object>> = {
  'GET /api/openapi.json': { 'application/json': { schema: { type: 'object' } } },
  'GET /api/sales/{receipt}/receipt': {
    ...form('text/plain'),
    ...form('image/svg+xml'),
    ...form('application/pdf'),
    ...form('application/octet-stream'),
    ...form('message/rfc822'),
  },
  'GET /api/downloads/{of}/{as}': { ...form('text/csv'), ...form('application/pdf') },
  'GET /api/configuration': { 'application/json': { schema: { type: 'object' } } },
  'POST /api/bundle': form('text/plain'),
};

export const errorAnswers = {
  '400': answer('The request is not as it must be; `fields` names what.'),
  '401': answer('Nobody is signed in, or the key is not known.'),
  '403': answer('Not allowed, or from another page than may ask.'),
  '404': answer('There is no such thing.'),
  '409': answer(
    'It does not fit what stands: a key that was used for something else, a terminal that is busy, a customer who may ' +
      'have been charged already.',
  ),
  '422': answer('Refused; nothing was done.'),
  '5XX': answer('Failed. `money` says what became of the money, `remedy` whether trying again is safe.'),
} as const;
