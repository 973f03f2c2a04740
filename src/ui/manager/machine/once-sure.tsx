/** A button that waits for a word which nobody but a person can give. */
import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';

type Sure = { words: { sure: string; go: string }; busy: boolean; act(): void };

/** For what cannot be taken back, or is dangerous: the person says first that it is well considered. */
export const OnceSure = ({ words, busy, act }: Sure) => {
  const [isSure, setSure] = useState(false);
  return (
    <>
      <Checkbox
        size="lg"
        label={words.sure}
        checked={isSure}
        onChange={({ currentTarget }) => setSure(currentTarget.checked)}
      />
      <Button size="lg" h="auto" mih={56} className="m-whole" disabled={!isSure} loading={busy} onClick={act}>
        {words.go}
      </Button>
    </>
  );
};
