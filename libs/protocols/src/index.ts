export {
  feedTreeProtocols,
  isFeedTree,
  protocolOf,
  protocolOfDocument,
  protocols,
  sharingProtocolOf,
  synchronisationNamespaces,
} from './protocols.ts';
