//! The permissions and the owner of a file that replaces another.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Copies the permissions and, as far as allowed, the owner of the file at `path`.
pub fn resemble(file: &File, replaced: &Metadata, path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        // Only an administrator can change the owner; other users already own the file.
        let (owner, group) = (Some(replaced.uid()), Some(replaced.gid()));
        let is_given = fchown(file, owner, group).or_else(|_| fchown(file, None, group)).is_ok();
        let list = access_list::of(path);
        if is_given && matches!(list, Ok(None)) {
            access_list::remove(file);
            return file.set_permissions(replaced.permissions());
        }
        // These are the permissions of another group or, with an access list, of everyone whom it names.
        file.set_permissions(PermissionsExt::from_mode(replaced.permissions().mode() & 0o707))?;
        if let Ok(Some(list)) = list.as_ref().map(|list| list.as_deref().filter(|_| is_given)) {
            access_list::set(file, list);
        }
        Ok(())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        file.set_permissions(replaced.permissions())
    }
}

/// POSIX access control lists.
#[cfg(target_os = "linux")]
mod access_list {
    use std::fs::File;
    use std::path::Path;

    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr};
    use rustix::io::{Errno, Result};

    const NAME: &str = "system.posix_acl_access";

    /// The longest value of an attribute.
    const MAX_LENGTH: usize = 1 << 16;

    pub fn of(path: &Path) -> Result<Option<Vec<u8>>> {
        let mut list = vec![0; MAX_LENGTH];
        match getxattr(path, NAME, list.as_mut_slice()) {
            Ok(length) => {
                list.truncate(length);
                Ok(Some(list))
            }
            Err(Errno::NODATA | Errno::NOTSUP) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sets the list if possible; without it, only the owner and others have access.
    pub fn set(file: &File, list: &[u8]) {
        let _ = fsetxattr(file, NAME, list, XattrFlags::empty());
    }

    /// Removes the list that a new file gets from its folder.
    pub fn remove(file: &File) {
        let _ = fremovexattr(file, NAME);
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod access_list {
    use std::fs::File;
    use std::io::Result;
    use std::path::Path;

    pub fn of(_: &Path) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    pub fn set(_: &File, _: &[u8]) {}

    pub fn remove(_: &File) {}
}
