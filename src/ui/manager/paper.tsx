/** A report as it stands on paper, with the ways to get it there. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { api, got } from '../api.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { useWords } from '../words/words.ts';
import { useDoing } from './doing.tsx';

/** Paper that is wider than the screen is moved by the arrow keys. */
const scrolledByKeys = { tabIndex: 0 };

export const Paper = ({ lines, label }: { lines: readonly string[]; label: string }) => {
  const { t } = useWords('manager');
  const doing = useDoing();
  const [isPrinted, setPrinted] = useState(false);
  const print = async (): Promise<void> => {
    setPrinted(false);
    const done = await doing.run((headers) =>
      got(api.reports.print.$post({ json: { lines: [...lines] } }, { headers })),
    );
    setPrinted(done !== undefined);
  };
  return (
    <Stack align="flex-start">
      <Group className="m-no-print">
        <Button
          size="md"
          variant="light"
          leftSection={<IconPrinter size={20} aria-hidden />}
          loading={doing.busy}
          onClick={() => void print()}
        >
          {t.print}
        </Button>
        <Text role="status">{isPrinted ? t.printed : ''}</Text>
      </Group>
      {doing.error !== undefined && <ProblemNote error={doing.error} />}
      <section className="m-paper" aria-label={label} {...scrolledByKeys}>
        <pre>{lines.join('\n')}</pre>
      </section>
    </Stack>
  );
};
