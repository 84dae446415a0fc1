/** The typed client of the API: `walletflow/api`. */
export { ApiError, CALL_FAILURES, type CallOutcome } from './apiError';
export type { ApiLogger } from './parseResponse';
export type { CallReport, ApiOptions, CallOptions } from './caller';
export { createApi, type Api, type DatedResponse, type Page } from './client';
export type { OperationId, RequestOf, ResponseOf } from './contract';
export { checkChain, checkEntity, defaultHosts, type Entity, type Hosts } from './entity';
export { findError, type ApiErrorEntry } from './errors';
export { BlockedRequestError, createDispatcher } from './dispatcher';
export { InvalidRequestError, type FieldProblem } from './invalidRequest';
export { PagingStalledError, paginate } from './paginate';
export { parseRetryAfter } from './retryAfter';
