import { z } from 'zod';
import { faultSchema } from '../faults';
import { Refusal } from '../refusal';
import { control, type ControlTable } from './control';

export const faultControls: ControlTable = {
  'GET /faults': control({
    summary: 'Faults and how often they struck',
    run: ({ faults }) => ({ faults: faults.list() }),
  }),
  'POST /faults': control({
    summary: 'Adds a fault',
    body: faultSchema,
    run: ({ faults }, { body }) => faults.add(body),
  }),
  'DELETE /faults': control({ summary: 'Takes all faults away', run: ({ faults }) => faults.clear() }),
  'DELETE /faults/{id}': control({
    summary: 'Takes a fault away',
    params: z.object({ id: z.string() }),
    run: ({ faults }, { params }) => {
      if (!faults.remove(params.id)) throw new Refusal(404, { message: 'No fault has this id' });
    },
  }),
};
