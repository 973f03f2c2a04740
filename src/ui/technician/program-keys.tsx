/** Keys of programs, for people who set up a program. Each needs a manager's approval. */
import { Card, Stack } from '@mantine/core';
import { useWords } from '../locale/use-words.ts';
import { KeyList } from '../manager/staff/pos-keys.tsx';
import { Head } from './parts.tsx';

export const ProgramKeys = () => {
  const { t } = useWords('technician');
  return (
    <>
      <Head title={t.sections.programKeys} intro={t.programKeysIntro} />
      <Card withBorder>
        <Stack>
          <KeyList />
        </Stack>
      </Card>
    </>
  );
};
