/** The typed client of the API: `walletflow/api`. */
export { ApiError, OWN_FAILURES, type CallOutcome } from './apiError';
export type { ApiLogger } from './answer';
export type { ApiEvent, ApiOptions, CallOptions } from './caller';
export { createApi, type Api, type Dated, type Page } from './client';
export type { OperationId, RequestOf, ResponseOf } from './contract';
export { checkChain, checkEntity, defaultHosts, type Entity, type Hosts } from './entity';
export { findError, type ApiErrorEntry } from './errors';
export { GuardRefusal, createDispatcher } from './guard';
export { InvalidRequest, type FieldProblem } from './invalidRequest';
export { PagingStuck, paginate } from './paginate';
export { parseRetryAfter } from './retryAfter';
