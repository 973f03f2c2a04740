/** While a batch is closed: the sale in progress that the close waits for, and a way out of the wait. */
import { Alert, Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ClosingWait } from '../../../api/ports/books.ts';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { useWords } from '../../words/words.ts';
import { useDoing, useRead } from '../doing.tsx';

/** `children` stands in its place while nothing is waited for. */
export const WaitsFor = ({ isClosing, children }: { isClosing: boolean; children: ReactNode }) => {
  const { t, money } = useWords('manager');
  // Read once, for whoever comes in the middle; from then on the till tells of each change.
  const read = useRead(['closingWait'], async (): Promise<{ waits?: ClosingWait }> => got(api.closing.wait.$get()));
  const doing = useDoing();
  const { sales = [], terminalId = '' } = read.data?.waits ?? {};
  if (!isClosing || sales.length === 0) return children;
  const stop = (): void => void doing.run((headers) => got(api.closing.cancel.$post({}, { headers })));
  return (
    <>
      <Alert color="blue" variant="light" role="status">
        {sales.map(({ receipt, amount, counter = terminalId }) => (
          <Text key={receipt}>{fill(t.closing.waitsFor, { receipt, counter, amount: money(amount) })}</Text>
        ))}
      </Alert>
      {doing.error !== undefined && <ProblemNote error={doing.error} />}
      <Button size="lg" variant="default" loading={doing.busy} onClick={stop}>
        {t.closing.stopWaiting}
      </Button>
    </>
  );
};
