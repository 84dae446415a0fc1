import { z } from 'zod';
import { OPERATION_IDS, type OperationId } from '../../api/contract';
import { control, type ControlTable } from './control';

export const journalControls: ControlTable = {
  'GET /journal': control({
    summary: 'Lists requests to the API, oldest first, after the sequence number `since`',
    query: z.strictObject({
      operation: z.enum(OPERATION_IDS as [OperationId, ...OperationId[]]).optional(),
      since: z.number().int().nonnegative().optional(),
    }),
    run: ({ journal }, { query }) => ({ entries: journal.list(query) }),
  }),
  'GET /journal/counts': control({
    summary: 'Counts the requests of each operation: in total, committed, and by response status',
    run: ({ journal }) => ({ counts: journal.counts() }),
  }),
  'DELETE /journal': control({
    summary: 'Empties the journal',
    recorded: false,
    run: ({ journal }) => journal.clear(),
  }),
};
