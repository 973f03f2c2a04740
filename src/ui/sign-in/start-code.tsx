/** A till without people, before a browser that did not bring the code of its start: how to come in. */
import { Code, List, Stack, Text, Title } from '@mantine/core';
import { useAwaitedTill } from '../session.ts';
import { useWords } from '../words/words.ts';

/** As they are typed, in every language. */
const OPEN = 'npm run till -- open';
const STOP = 'npm run till -- stop';
const ADD = 'npm run till -- staff add NAME --role manager';

export const StartCode = () => {
  const { t } = useWords('signIn');
  // Whoever comes in by another window of this browser, or adds somebody, has this one go on.
  useAwaitedTill();
  return (
    <div className="tg-sign-in">
      <Stack gap="md" align="flex-start" data-wide>
        <Title order={1}>{t.codeTitle}</Title>
        <Text>{t.codeWhy}</Text>
        <List spacing="md">
          <List.Item>{t.codeAddress}</List.Item>
          <List.Item>
            {t.codeCommand}
            <Command text={OPEN} />
          </List.Item>
          <List.Item>
            {t.codeManager}
            <Command text={STOP} />
            <Command text={ADD} />
          </List.Item>
        </List>
      </Stack>
    </div>
  );
};

/** Reached by the keyboard, so that a small screen can be moved to it. */
const Command = ({ text }: { text: string }) => (
  <Code block dir="ltr" tabIndex={0}>
    {text}
  </Code>
);
