export {
  adoptionOf,
  feedTreeProtocols,
  isFeedTree,
  protocolOf,
  protocolOfDocument,
  protocols,
  sharingProtocolOf,
  synchronisationNamespaces,
} from './protocols.ts';
