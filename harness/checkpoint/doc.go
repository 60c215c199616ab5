// Package checkpoint writes and reads the state of a training run so that a
// process killed at any instant loses at most the updates since the last
// checkpoint, and so that no damaged or foreign file is ever taken for one.
//
// # The file
//
// A checkpoint is a safetensors file (the format of
// https://github.com/huggingface/safetensors), which other tools read:
//
//	8 bytes      little-endian length N of the header
//	N bytes      JSON object: "__metadata__" (strings), then one member per
//	             tensor {"dtype":..,"shape":[..],"data_offsets":[begin,end]}
//	the rest     the data, row-major and little-endian, without gaps
//
// The bytes are a function of the content alone. Metadata is sorted by key.
// Tensors stand in the order of falling element size, then bytewise by name,
// as the reference writer has them: every element is aligned to its size when
// the file is mapped into memory. The header is padded with spaces to a
// multiple of 8. Dtypes are F32, F64, I32, I64, U32 and U64.
//
// # The checksum
//
// The metadata entry "sha256" holds 64 lower-case hexadecimal digits: the
// SHA-256 of the whole file with these 64 digits replaced by '0'. It covers
// header and data alike, so every flipped bit is found.
//
// # Strictness
//
// [Read] refuses wrong lengths, offsets that overlap, leave gaps or stand out
// of order, duplicate names and keys, unknown dtypes and fields, non-finite
// floats, trailing bytes and a wrong or missing checksum. Each refusal is a
// [FormatError], which names file, byte offset, have and need.
// Memory is taken only for what the size of the file bears out. A float tensor
// that holds NaN or an infinity is refused in both directions, because a run
// that reached one has already failed; a bound that may be infinite (the best
// loss before the first evaluation) belongs in the metadata.
//
// # Writing
//
// [Write] validates first, then writes a temporary file in the same folder,
// syncs it, renames it over the old one and syncs the folder. A reader finds
// the old file or the new one, never a mixture. The temporary file is locked
// while its writer lives; the next writer in that folder removes those whose
// lock is gone.
//
// A state belongs to one run at a time. [Acquire] locks it by a file beside it,
// which says who has it; the lock ends with the process, so nothing is left to
// clean up after a kill. The last to leave removes the folder.
//
// # Digests
//
// [Digest] and [StateDigest] are the digests of the numeric contract, rule 15.
//
// # Where state lives
//
// [Key] names a run; [Key.Path] gives its file below the state folder, which
// is PUSHDOWN_STATE or pushdown in the user's cache folder.
package checkpoint
