package org.microhttp.tools.filesystem;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

import static java.nio.file.attribute.PosixFilePermission.GROUP_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.GROUP_READ;
import static java.nio.file.attribute.PosixFilePermission.GROUP_WRITE;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_READ;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_WRITE;
import static java.nio.file.attribute.PosixFilePermission.OWNER_EXECUTE;

/** Who owns a file or folder, and who may do what with it. */
public record FileRights(UserPrincipal owner, GroupPrincipal group, Set<PosixFilePermission> mode) {

    private static final Set<PosixFilePermission> ENTER =
            Set.of(OWNER_EXECUTE, GROUP_EXECUTE, OTHERS_EXECUTE);

    public static FileRights of(Path file, LinkOption... options) throws IOException {
        PosixFileAttributes all = Files.readAttributes(file, PosixFileAttributes.class, options);
        return new FileRights(all.owner(), all.group(), Set.copyOf(all.permissions()));
    }

    /** Whether every user may enter the folder. */
    public boolean letAllIn() {
        return mode.containsAll(ENTER);
    }

    /** Whether every user who may enter another folder may enter this one, as far as owner and group tell. */
    public boolean letInAllOf(FileRights other) {
        return owner.equals(other.owner) && group.equals(other.group)
                && ENTER.stream().filter(other.mode::contains).allMatch(mode::contains);
    }

    /**
     * Gives a file of this user the same group and mode. The group comes first, so that no other one has the
     * rights meanwhile.
     *
     * @throws IOException also if it cannot have that group, and the group's rights are not those of others
     */
    public void give(Path file) throws IOException {
        var view = Files.getFileAttributeView(
                file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        PosixFileAttributes present = view.readAttributes();
        if (!present.group().equals(group)) {
            setGroup(view);
        }
        if (!present.permissions().equals(mode)) {
            Files.setPosixFilePermissions(file, mode);
        }
    }

    private void setGroup(PosixFileAttributeView view) throws IOException {
        try {
            view.setGroup(group);
        } catch (FileSystemException e) {
            boolean same = mode.contains(GROUP_READ) == mode.contains(OTHERS_READ)
                    && mode.contains(GROUP_WRITE) == mode.contains(OTHERS_WRITE)
                    && mode.contains(GROUP_EXECUTE) == mode.contains(OTHERS_EXECUTE);
            if (!same) {
                throw new IOException("this user cannot give what is made of it its group, " + group.getName()
                        + "; allowed: root, or a user in that group", e);
            }
        }
    }
}
