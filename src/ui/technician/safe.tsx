/** A panel that breaks takes nothing else with it, and says so. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';

type Props = { words: string; again: string; children: ReactNode };

export class Safe extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { words, again, children } = this.props;
    if (this.state.error === undefined) return children;
    return (
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={words} role="alert">
        <Stack align="flex-start">
          <Text size="sm">{String(this.state.error).slice(0, 200)}</Text>
          <Button size="lg" onClick={() => this.setState({ error: undefined })}>
            {again}
          </Button>
        </Stack>
      </Alert>
    );
  }
}
