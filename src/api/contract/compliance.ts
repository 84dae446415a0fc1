import { z } from 'zod';
import { endpoint } from './endpoint';
import { either, openEnum, uuid } from './schema';
import { SCREENING_CHAINS, addressScreening } from './screening';
import { travelRule } from './travelRule';

/** Screening of addresses and the travel rule (spec, Compliance; api-facts 9). */
export const compliance = {
  screenAddress: endpoint({
    method: 'POST',
    path: '/compliance/screening/addresses',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'key',
    body: z.object({
      idempotencyKey: uuid,
      address: z.string().min(1),
      /** Any text: one that can't be screened is answered 280001. */
      chain: openEnum(SCREENING_CHAINS),
    }),
    rules: [[280001, ({ chain }) => !(SCREENING_CHAINS as readonly string[]).includes(chain)]],
    response: either(addressScreening),
    errors: [280002],
    summary: 'Screens an address: the decision, its actions and the signals behind it',
  }),
  ...travelRule,
};
