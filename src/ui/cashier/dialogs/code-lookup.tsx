/** A code that was scanned: the sale that it means, or whose receipt it is and what to do. */
import { Button, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { Listed } from '../../parts/listed.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { useWords } from '../../words/words.ts';
import { useReceiptOfCode } from '../till.ts';
import type { CashierState } from '../use-desk.ts';

export const CodeLookup = ({ desk, code }: { desk: CashierState; code: string }) => {
  const { shared } = useWords('cashier');
  const { setOpen } = desk;
  const found = useReceiptOfCode(code);
  const receipt = found.data?.receipt;
  useEffect(() => {
    if (receipt !== undefined) setOpen({ is: 'detail', receipt });
  }, [receipt, setOpen]);
  if (found.error === null) return <Listed query={found}>{() => null}</Listed>;
  return (
    <Stack>
      <ProblemNote error={found.error} />
      <Button h={56} variant="default" onClick={() => setOpen(undefined)}>
        {shared.close}
      </Button>
    </Stack>
  );
};
