import { z } from 'zod';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { faultSchema } from '../faults/requestFaults';
import { control, type ControlTable } from './control';

export const faultControls: ControlTable = {
  'GET /faults': control({
    summary: 'Lists the faults and how often each was applied',
    run: ({ faults }) => ({ faults: faults.list() }),
  }),
  'POST /faults': control({
    summary: 'Adds a fault',
    body: faultSchema,
    run: ({ faults }, { body }) => faults.add(body),
  }),
  'DELETE /faults': control({ summary: 'Removes all faults', run: ({ faults }) => faults.clear() }),
  'DELETE /faults/{id}': control({
    summary: 'Removes a fault',
    params: z.object({ id: z.string() }),
    run: ({ faults }, { params }) => {
      if (!faults.remove(params.id)) throw new ApiErrorResponse(404, { message: 'No fault has this id' });
    },
  }),
};
