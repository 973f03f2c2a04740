/** How the reference groups parameters: by the beginning of their names, under the spec’s headings. A pure table. */

export type Chapter = { prefix: string; title: string; spec: string };

/** In the order of the page. The longest prefix that fits a name wins; the empty one takes the rest. */
export const chapters: readonly Chapter[] = [
  { prefix: '', title: 'Basic parameters', spec: '2.2 to 2.4, 2.23, 2.24, 2.31' },
  { prefix: 'overridePaymentType[', title: 'Payment types by brand', spec: '2.2' },
  { prefix: 'forex.', title: 'Currency conversion', spec: '2.3' },
  { prefix: 'card.', title: 'Card', spec: '2.5' },
  { prefix: 'applePay.', title: 'Apple Pay', spec: '2.6' },
  { prefix: 'googlePay.', title: 'Google Pay', spec: '2.6' },
  { prefix: 'samsungPay.', title: 'Samsung Pay', spec: '2.6' },
  { prefix: 'virtualAccount.', title: 'Virtual account', spec: '2.7' },
  { prefix: 'bankAccount.', title: 'Bank account', spec: '2.8' },
  { prefix: 'tokenAccount.', title: 'Token account', spec: '2.9' },
  { prefix: 'giftCard.', title: 'Gift card', spec: '2.26' },
  { prefix: 'pos.', title: 'Point of sale', spec: '2.34' },
  { prefix: 'customer.', title: 'Customer', spec: '2.10' },
  { prefix: 'billing.', title: 'Billing address', spec: '2.12' },
  { prefix: 'shipping.', title: 'Shipping address', spec: '2.14' },
  { prefix: 'shipping.customer.', title: 'Shipping customer', spec: '2.11' },
  { prefix: 'merchant.', title: 'Merchant', spec: '2.18' },
  { prefix: 'merchant.billing.', title: 'Merchant billing address', spec: '2.13' },
  { prefix: 'merchant.shipping.', title: 'Merchant shipping address', spec: '2.15' },
  { prefix: 'corporate.', title: 'Corporate', spec: '2.16' },
  { prefix: 'sender.', title: 'Sender', spec: '2.17' },
  { prefix: 'recipient.', title: 'Recipient', spec: '2.17' },
  { prefix: 'cart.items[', title: 'Cart items', spec: '2.19' },
  { prefix: 'cart.payments[', title: 'Cart payments', spec: '2.20' },
  { prefix: 'marketPlace.', title: 'Marketplace', spec: '2.21' },
  { prefix: 'airline.', title: 'Airline', spec: '2.22' },
  { prefix: 'recurringMigration.', title: 'Migration of recurring payments', spec: '2.23' },
  { prefix: 'registrations[', title: 'Stored accounts that a checkout offers', spec: '2.23' },
  { prefix: 'standingInstruction.', title: 'Card on file', spec: '2.32' },
  { prefix: 'job.', title: 'Schedule', spec: '2.28' },
  { prefix: 'date.', title: 'Dates of queries and reports', spec: '2.24, 2.25' },
  { prefix: 'risk.', title: 'Risk', spec: '2.27' },
  { prefix: 'threeDSecure.', title: '3D Secure', spec: '2.29' },
  { prefix: 'customParameters[', title: 'Custom parameters', spec: '2.30' },
  { prefix: 'webhook.', title: 'Webhooks: an extension of the specification', spec: '6' },
];

const longestFirst = [...chapters].sort((one, other) => other.prefix.length - one.prefix.length);

/** The chapter of a parameter. */
export const chapterOf = (name: string): Chapter | undefined =>
  longestFirst.find(({ prefix }) => name.startsWith(prefix));
