/** The till's configuration: exported to a file, imported with a preview of the changes, and undone. */
import { Alert, Button, Card, Group, Stack, Table, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ConfigurationChange, ConfigurationPlan } from '../../api/contract/machine.ts';
import { NotUnicode, textIn } from '../../base/text.ts';
import { api, got, RequestRefused, refusalIn } from '../api.ts';
import { IconDownload } from '../icons/icons.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { DropZone, saveAnswer } from '../parts/files.tsx';
import { PermissionText } from '../parts/override-dialog.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import { Head, VerdictNote } from './parts.tsx';
import { useJob, useRead } from './till.ts';

export const Configuration = () => {
  const { t } = useWords('technician');
  const save = useJob<void>();
  const saveConfiguration = (): void =>
    void save.run(async (headers) => {
      const answer = await api.configuration.$get({}, { headers });
      if (!answer.ok) throw await refusalIn(answer);
      await saveAnswer(answer, 'till.json');
    });
  return (
    <>
      <Head title={t.sections.configuration} intro={t.configurationIntro}>
        <Button leftSection={<IconDownload />} loading={save.busy} onClick={saveConfiguration}>
          {t.exportIt}
        </Button>
      </Head>
      <Stack>
        {save.error !== undefined && <ProblemNote error={save.error} />}
        <Import />
        <UndoPanel />
      </Stack>
    </>
  );
};

/** Undefined for a file that is not Unicode text: a browser would read it with question marks in names. */
const textOf = async (file: File): Promise<string | undefined> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return textIn(bytes);
  } catch (error) {
    if (error instanceof NotUnicode) return undefined;
    throw error;
  }
};

/** No configuration is this large. */
const BYTES_MOST = 1_000_000;

const Import = () => {
  const { t, shared } = useWords('technician');
  const [text, setText] = useState('');
  const [fileFault, setFileFault] = useState<string>();
  const plan = useJob<ConfigurationPlan>();
  const apply = useJob<ConfigurationPlan>('configuration');
  const take = async (file: File): Promise<void> => {
    apply.clear();
    plan.clear();
    setFileFault(file.size > BYTES_MOST ? t.tooLarge : undefined);
    if (file.size > BYTES_MOST) return;
    const read = await textOf(file);
    if (read === undefined) return setFileFault(t.noText);
    setText(read);
    await plan.run((headers) => got(api.configuration.plan.$post({ json: { text: read } }, { headers })));
  };
  const changes = plan.result?.changes ?? [];
  return (
    <Card withBorder component="section" aria-label={t.importTitle}>
      <Stack>
        <Title order={2} size="h3">
          {t.importTitle}
        </Title>
        <DropZone
          texts={{ drop: t.drop, hint: t.dropHint, choose: shared.chooseFile }}
          accept=".json,application/json"
          onFile={(file) => void take(file)}
          onNone={() => setFileFault(t.noFile)}
        />
        {fileFault !== undefined && <VerdictNote verdict="bad" message={fileFault} />}
        {plan.error !== undefined && <WrongFields error={plan.error} />}
        {plan.result && changes.length === 0 && <VerdictNote verdict="good" message={t.noChanges} />}
        {apply.error !== undefined && <WrongFields error={apply.error} />}
        {apply.result && <VerdictNote verdict="good" message={t.applied} />}
        {changes.length > 0 && !apply.result && (
          <Changes
            title={t.changesTitle}
            changes={changes}
            actions={
              <>
                <Button variant="default" onClick={plan.clear}>
                  {shared.cancel}
                </Button>
                <Button
                  loading={apply.busy}
                  onClick={() =>
                    void apply.run((headers) => got(api.configuration.$put({ json: { text } }, { headers })))
                  }
                >
                  {t.apply}
                </Button>
              </>
            }
          />
        )}
      </Stack>
    </Card>
  );
};

/** Each wrong field by its name; other refusals in the till's words. */
const WrongFields = ({ error }: { error: unknown }) => {
  const { t } = useWords('technician');
  const messages = useMessages();
  const fields = error instanceof RequestRefused ? (error.problem.fields ?? []) : [];
  if (fields.length === 0) return <ProblemNote error={error} />;
  return (
    <Alert color="red" title={t.wrongTitle} role="alert">
      <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
        {fields.map(({ name, says, told }) => (
          <li key={`${name} ${says}`}>
            <b>
              <bdi>{name}</bdi>
            </b>{' '}
            <bdi>{messages.text(told, says)}</bdi>
          </li>
        ))}
      </ul>
    </Alert>
  );
};

const UndoPanel = () => {
  const { t } = useWords('technician');
  const stored = useRead(['configuration'], () => got(api.configuration.undo.$get()));
  const undo = useJob<ConfigurationPlan>('configuration');
  const changes = stored.data?.plan?.changes ?? [];
  if (undo.result) return <VerdictNote verdict="good" message={t.undone} />;
  if (changes.length === 0) return undo.error === undefined ? null : <ProblemNote error={undo.error} />;
  return (
    <Card withBorder component="section" aria-label={t.undoTitle}>
      <Stack>
        <Text>{t.undoWhy}</Text>
        {undo.error !== undefined && <ProblemNote error={undo.error} />}
        <Changes
          title={t.undoTitle}
          changes={changes}
          actions={
            <Button
              variant="default"
              loading={undo.busy}
              onClick={() => void undo.run((headers) => got(api.configuration.undo.$post({}, { headers })))}
            >
              {t.undo}
            </Button>
          }
        />
      </Stack>
    </Card>
  );
};

type Props = { title: string; changes: readonly ConfigurationChange[]; actions: ReactNode };

/** The changes of an import, value by value: before, after, and what somebody else must approve. */
const Changes = ({ title, changes, actions }: Props) => {
  const { t, shared } = useWords('technician');
  const ownPermissions = useSession().data?.signedIn?.permissions ?? [];
  const isLacking = ({ needs }: ConfigurationChange): boolean => !ownPermissions.includes(needs);
  const lackingChanges = changes.filter(isLacking);
  return (
    <Stack>
      <Title order={3} size="h4">
        {title}
      </Title>
      {lackingChanges.length > 0 && (
        <Alert color="orange" title={t.needsApproval}>
          {[...new Set(lackingChanges.map(({ needs }) => needs))].map((needs) => (
            <PermissionText key={needs} permission={needs} />
          ))}
        </Alert>
      )}
      <Table aria-label={title} verticalSpacing="xs" layout="fixed" className="te-changes" role="table">
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            <Table.Th role="columnheader">{t.field}</Table.Th>
            <Table.Th role="columnheader">{t.before}</Table.Th>
            <Table.Th role="columnheader">{t.after}</Table.Th>
            {lackingChanges.length > 0 && <Table.Th role="columnheader">{t.approval}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {changes.map((change) => (
            <Table.Tr key={change.field} role="row">
              <Table.Th scope="row" role="rowheader">
                <bdi>{change.field}</bdi>
              </Table.Th>
              <Table.Td role="cell" data-name={t.before}>
                <bdi>{change.before ?? t.leftOut}</bdi>
              </Table.Td>
              <Table.Td role="cell" data-name={t.after} fw={700}>
                <bdi>{change.after ?? t.leftOut}</bdi>
              </Table.Td>
              {lackingChanges.length > 0 && (
                <Table.Td role="cell" data-name={t.approval}>
                  {isLacking(change) ? shared.roles.manager : t.noApproval}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end">{actions}</Group>
    </Stack>
  );
};
