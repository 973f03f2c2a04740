/** The rules between the parameters of a query and of a report (spec 2.24, 2.25). */
import { DAY_MS } from '../../../base/clock.ts';
import type { Rule, SentValues } from '../operation.ts';
import { isDate, isDateTime } from '../parameters/formats.ts';
import { requireTogether, type SharedRule, shared } from './shared.ts';

/** In the years that the specification allows (2.0). */
const ISO = /^(19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2})?$/;

const isTime = (text: string): boolean => ISO.test(text) && (text.length > 10 ? isDateTime(text) : isDate(text));

/** In this form, dates compare like their texts. The parser reports a malformed one. */
const inOrder: Rule = {
  name: 'date.to',
  message: 'must not be before date.from',
  holds: (values) => {
    const [from, to] = [values['date.from'], values['date.to']];
    return from === undefined || to === undefined || !isTime(from) || !isTime(to) || from <= to;
  },
};

const hasDates = (values: SentValues): boolean => values['date.from'] !== undefined || values['date.to'] !== undefined;
const hasReference = ({ merchantTransactionId }: SentValues): boolean => merchantTransactionId !== undefined;

const common: readonly Rule[] = [
  {
    name: 'merchantTransactionId',
    message: 'may not be sent together with date.from and date.to',
    holds: (values) => !hasReference(values) || !hasDates(values),
  },
  ...requireTogether('date.from', 'date.to'),
  inOrder,
];

const byVersion: Readonly<Record<'v1' | 'v3', readonly Rule[]>> = {
  v1: [
    ...common,
    {
      name: 'merchantTransactionId',
      message: 'may not be empty, unless shortId, or date.from and date.to, are sent',
      holds: (values) => hasReference(values) || values['shortId'] !== undefined || hasDates(values),
    },
  ],
  v3: common,
};

export const queryRules = (version: 'v1' | 'v3'): readonly SharedRule[] => shared(byVersion[version]);

const SPAN_DAYS = 366;

/** One answer covers at most a year of days. */
const inSpan: Rule = {
  name: 'date.to',
  message: `must be at most ${SPAN_DAYS} days after date.from`,
  holds: (values) => {
    const [from, to] = [values['date.from'], values['date.to']];
    if (from === undefined || to === undefined || !isTime(from) || !isTime(to)) return true;
    return Date.parse(to) - Date.parse(from) <= SPAN_DAYS * DAY_MS;
  },
};

/** For a report over a span of days. */
export const reportRules: readonly SharedRule[] = shared([inOrder, inSpan]);
