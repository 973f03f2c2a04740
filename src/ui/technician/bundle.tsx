/** The support bundle: its content, the scan's findings, and the start of each part; then it is saved. */
import { Button, Card, Collapse, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { BundleSection } from '../../api/contract/diagnosis.ts';
import { fill } from '../../base/placeholders.ts';
import { api, got, refusalIn } from '../api.ts';
import { IconDownload, IconSearch } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { saveAnswer } from '../parts/files.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { Head, VerdictIcon, VerdictNote } from './parts.tsx';
import { useJob } from './till.ts';

export const Bundle = () => {
  const { t } = useWords('technician');
  const preview = useJob<{ sections: BundleSection[] }>();
  const save = useJob<void>();
  const saveBundle = (): void =>
    void save.run(async (headers) => {
      const answer = await api.bundle.$post({}, { headers });
      if (!answer.ok) throw await refusalIn(answer);
      await saveAnswer(answer, 'tillgate-support.txt');
    });
  const sections = preview.result?.sections;
  const suspiciousCount = sections?.filter(({ suspects }) => suspects.length > 0).length ?? 0;
  return (
    <>
      <Head title={t.sections.bundle} intro={t.bundleIntro}>
        <Button
          variant="default"
          leftSection={<IconSearch />}
          loading={preview.busy}
          onClick={() => void preview.run((headers) => got(api.bundle.$get({}, { headers })))}
        >
          {t.gather}
        </Button>
        <Button leftSection={<IconDownload />} loading={save.busy} onClick={saveBundle}>
          {t.saveBundle}
        </Button>
      </Head>
      <Stack>
        {preview.error !== undefined && <ProblemNote error={preview.error} />}
        {save.error !== undefined && <ProblemNote error={save.error} />}
        {preview.busy && <Text role="status">{t.gathering}</Text>}
        {sections && (
          <VerdictNote
            verdict={suspiciousCount > 0 ? 'odd' : 'good'}
            message={suspiciousCount > 0 ? fill(t.someLeft, { count: suspiciousCount }) : t.allClean}
          />
        )}
        {sections?.map((section) => (
          <Section key={section.name} section={section} />
        ))}
      </Stack>
    </>
  );
};

const Section = ({ section: { name, lines, suspects, begins } }: { section: BundleSection }) => {
  const { t, number } = useWords('technician');
  const [shown, setShown] = useState(false);
  const isClean = suspects.length === 0;
  return (
    <Card withBorder py="xs" component="section" aria-label={name}>
      <Group wrap="nowrap" gap="md">
        <VerdictIcon verdict={isClean ? 'good' : 'odd'} />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Text fw={700} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            {fill(t.lines, { count: number(lines) })}
            {isClean ? ` · ${t.clean}` : ''}
          </Text>
          {suspects.map((reason) => (
            <Text key={reason} fw={600}>
              {fill(t.left, { why: reason })}
            </Text>
          ))}
        </div>
        {begins.length > 0 && (
          <Button size="md" variant="subtle" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {shown ? t.hideBegins : t.begins}
          </Button>
        )}
      </Group>
      <Collapse expanded={shown} transitionDuration={0}>
        <div className="te-hex" dir="ltr">
          <pre>{begins.join('\n')}</pre>
        </div>
      </Collapse>
    </Card>
  );
};
