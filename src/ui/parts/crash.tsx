/** Catches what a screen throws while it is drawn: words instead of a blank page. The console has the rest. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { useWords } from '../words/words.ts';

/** `head` stands above the words, too. */
type Props = { head?: ReactNode; children: ReactNode };

export class CrashBoundary extends Component<Props, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError(): { crashed: boolean } {
    return { crashed: true };
  }

  override render(): ReactNode {
    if (!this.state.crashed) return this.props.children;
    return (
      <>
        {this.props.head}
        <Crashed again={() => this.setState({ crashed: false })} />
      </>
    );
  }
}

const Crashed = ({ again }: { again: () => void }) => {
  const { shared } = useWords('signIn');
  return (
    <Alert m="md" color="red" icon={<IconAlertTriangle aria-hidden />} title={shared.crashTitle} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text>{shared.crashMoney}</Text>
        <Text>{shared.crashNext}</Text>
        <Button h={56} onClick={again}>
          {shared.showAgain}
        </Button>
      </Stack>
    </Alert>
  );
};
