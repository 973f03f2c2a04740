/** The live channel at a gateway: typed, and tested before anything depends on it. */
import { Alert, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Checklist } from '../../../api/contract/machine.ts';
import type { LocalizedMessage } from '../../../base/localized-message.ts';
import { api, got } from '../../api.ts';
import { IconCircleCheck, IconCircleX } from '../../icons/icons.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { type ChannelField, channelOf, type TypedChannel, wrongFields } from '../form-checks.ts';
import { useAction } from '../use-action.tsx';

type Props = { list: Checklist; isDone: boolean; refresh(): void };

/** A tested channel is shown in one line; another one can be tested instead. */
export const GatewayForm = ({ list, isDone, refresh }: Props) => {
  const { t } = useWords('manager');
  const [isOpen, open] = useState(false);
  const [wasTried, setTried] = useState(false);
  if (isDone && !isOpen)
    return (
      <Button size="md" h="auto" className="m-whole" variant="default" autoFocus={wasTried} onClick={() => open(true)}>
        {t.goingLive.gateway.other}
      </Button>
    );
  return (
    <Fields
      list={list}
      refresh={refresh}
      onTried={() => {
        open(false);
        // The tested channel replaces the form, whose button had the focus.
        setTried(true);
        refresh();
      }}
    />
  );
};

type FieldsProps = Pick<Props, 'list' | 'refresh'> & { onTried(): void };

const Fields = ({ list, refresh, onTried }: FieldsProps) => {
  const { t } = useWords('manager');
  const texts = t.goingLive.gateway;
  const runner = useAction();
  const { baseUrl = '', entityId = '' } = list.gateway ?? {};
  const [typed, setTyped] = useState<TypedChannel>({ baseUrl, entityId, token: '' });
  const [wrong, setWrong] = useState<readonly ChannelField[]>([]);
  const [answer, setAnswer] = useState<{ answered: boolean; says: LocalizedMessage }>();
  const change = (field: ChannelField) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setTyped((previous) => ({ ...previous, [field]: value }));
    setWrong((previous) => previous.filter((one) => one !== field));
    setAnswer(undefined);
  };
  const tryGateway = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = wrongFields(typed);
    setWrong(fields);
    setAnswer(undefined);
    const [first] = fields;
    if (first !== undefined) {
      event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
      return;
    }
    const tested = await runner.run((headers) =>
      got(api['going-live'].gateway.$post({ json: channelOf(typed) }, { headers })),
    );
    setAnswer(tested);
    if (tested?.answered) onTried();
    else refresh();
  };
  const field = (name: ChannelField) => ({
    name,
    label: texts[name],
    description: texts.hints[name],
    error: wrong.includes(name) ? texts.wrong[name] : undefined,
    value: typed[name],
    onChange: change(name),
    size: 'md' as const,
    dir: 'ltr' as const,
    spellCheck: false,
  });
  return (
    <form onSubmit={(event) => void tryGateway(event)} noValidate autoComplete="off" style={{ width: '100%' }}>
      <Stack gap="sm" maw="40rem">
        <TextInput {...field('baseUrl')} inputMode="url" autoComplete="off" maxLength={500} />
        <TextInput {...field('entityId')} autoComplete="off" maxLength={64} />
        <PasswordInput {...field('token')} autoComplete="new-password" maxLength={600} />
        <Answer answer={answer} />
        {runner.error !== undefined && <ProblemNote error={runner.error} />}
        <Group>
          <Button type="submit" size="md" loading={runner.busy}>
            {texts.tryIt}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

const Answer = ({ answer }: { answer: { answered: boolean; says: LocalizedMessage } | undefined }) => {
  const messages = useMessages();
  if (answer === undefined) return null;
  const Icon = answer.answered ? IconCircleCheck : IconCircleX;
  return (
    <Alert color={answer.answered ? 'green' : 'red'} role="status" icon={<Icon />} className="tg-wrap">
      {messages.text(answer.says)}
    </Alert>
  );
};
