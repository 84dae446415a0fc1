import type { Connection } from '@temporalio/client';
import { connectClient } from '../temporal/connection';
import { registerSearchAttributes } from '../temporal/searchAttributes';
import type { Terminal } from './terminal';

export async function run({ out }: Terminal): Promise<void> {
  const client = await connectClient([]);
  const { namespace } = client.options;
  try {
    const added = await registerSearchAttributes(client.connection as Connection, namespace);
    if (added.length > 0) out(`Search attributes added to namespace ${namespace}: ${added.join(', ')}`);
    else out(`Namespace ${namespace} has all search attributes`);
  } finally {
    await client.connection.close();
  }
}
